package local

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"

	"kurogo/messages"
)

// frameBytes bounds one frame. The largest message, every byte of it escaped,
// fits.
const frameBytes = 8 << 20

// A verb says what a frame is for. Verbs are part of the wire format: never
// rename one.
type verb string

const (
	verbHello  verb = "hello"  // both ways, first
	verbAsk    verb = "ask"    // client: word is the question
	verbWatch  verb = "watch"  // client: topic and since
	verbMore   verb = "more"   // client: room for more events of a watch
	verbCancel verb = "cancel" // client: the answer is no longer wanted
	verbAnswer verb = "answer" // server: word is the answer
	verbEvent  verb = "event"  // server: word is one event of a watch
	verbEnd    verb = "end"    // server: a watch has nothing more to say
	verbFail   verb = "fail"   // server: word is the error; id 0 ends the connection
)

// A frame is one line on the wire.
type frame struct {
	ID    uint64          `json:"id,omitempty"`
	Verb  verb            `json:"verb"`
	Hello *Hello          `json:"hello,omitempty"`
	Topic *messages.Topic `json:"topic,omitempty"`
	Since int64           `json:"since,omitempty"`
	More  int             `json:"more,omitempty"`
	Word  json.RawMessage `json:"word,omitempty"`
}

// decodeFrame reads one line. Whatever is wrong with it is invalid, by name.
func decodeFrame(line []byte) (frame, error) {
	if f, ok := split(line); ok {
		return f, f.check()
	}
	var f frame
	if err := strict(line, &f); err != nil {
		return frame{}, messages.Invalid("frame", "%v", err).Try("send one JSON object a line")
	}
	return f, f.check()
}

func strict(b []byte, into *frame) error {
	d := json.NewDecoder(bytes.NewReader(b))
	d.DisallowUnknownFields()
	if err := d.Decode(into); err != nil {
		return err
	}
	if _, err := d.Token(); !errors.Is(err, io.EOF) {
		return errors.New("something follows the object")
	}
	return nil
}

// beforeWord is what encode writes before a word, the last thing in a frame.
const beforeWord = `,"word":`

// split opens a frame with a word that looks as encode writes it, without reading
// the word: messages.Decode will, strictly.
func split(line []byte) (f frame, ok bool) {
	head, word, carries := bytes.Cut(line, []byte(beforeWord))
	word, ends := bytes.CutSuffix(word, []byte("}\n"))
	if !carries || !ends || strict(append(head[:len(head):len(head)], '}'), &f) != nil {
		return frame{}, false
	}
	f.Word = word
	return f, true
}

// encode writes the frame on a line. The word is JSON already: json.Marshal would
// read it once more.
func (f frame) encode() ([]byte, error) {
	word := f.Word
	f.Word = nil
	line, err := json.Marshal(f)
	if err != nil {
		return nil, err
	}
	if len(word) > 0 {
		line = append(line[:len(line)-1], beforeWord...)
		line = append(append(line, word...), '}')
	}
	return append(line, '\n'), nil
}

func (f frame) check() error {
	switch f.Verb {
	case verbHello:
		if f.Hello == nil {
			return messages.Invalid("hello", "version and schema are missing")
		}
		return nil
	case verbAsk, verbAnswer, verbEvent:
		if len(f.Word) == 0 {
			return messages.Invalid("word", "%s says nothing", f.Verb)
		}
	case verbFail:
		if len(f.Word) == 0 {
			return messages.Invalid("word", "%s says nothing", f.Verb)
		}
		return nil // id 0 speaks of the connection itself
	case verbMore:
		if f.More < 1 {
			return messages.Invalid("more", "%d is no number of events", f.More)
		}
	case verbWatch, verbCancel, verbEnd:
	default:
		return messages.Invalid("verb", "%q is no verb", f.Verb).Try("use hello, ask, watch, more or cancel")
	}
	if f.ID == 0 {
		return messages.Invalid("id", "%s needs an id above 0", f.Verb)
	}
	return nil
}

// say makes a frame that carries a word.
func say(id uint64, v verb, m messages.Message) (frame, error) {
	word, err := messages.Encode(m)
	if err != nil {
		return frame{}, err
	}
	return frame{ID: id, Verb: v, Word: word}, nil
}

// fail makes the frame that carries an error.
func fail(id uint64, err error) frame {
	f, encodeErr := say(id, verbFail, *messages.AsError(err))
	if encodeErr != nil { // an Error is plain strings: it always encodes
		panic(encodeErr)
	}
	return f
}

// err is the error that a fail frame carries.
func (f frame) err() error {
	m, err := messages.Decode(f.Word)
	if err != nil {
		return messages.Errorf(messages.CodeInternal, "kurogo failed and cannot say why: %v", err)
	}
	e, ok := m.(messages.Error)
	if !ok {
		return messages.Errorf(messages.CodeInternal, "kurogo failed with %q, which is no error", messages.KindOf(m))
	}
	return &e
}
