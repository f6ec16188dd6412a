package messages_test

import (
	"encoding/json"
	"errors"
	"reflect"
	"strings"
	"testing"
	"time"

	"kurogo/messages"
)

// Every word comes back from the wire as it was sent, with every field filled.
// A field that is forgotten in the JSON is lost here, not in somebody's inbox.
func TestEveryWordTravels(t *testing.T) {
	for kind, zero := range messages.Kinds() {
		full := reflect.New(reflect.TypeOf(zero)).Elem()
		fill(t, full)
		for name, word := range map[string]any{"empty": zero, "full": full.Interface()} {
			sent := word.(messages.Message)
			line, err := messages.Encode(sent)
			if err != nil {
				t.Errorf("%s %s: encode: %v", name, kind, err)
				continue
			}
			got, err := messages.Decode(line)
			if err != nil {
				t.Errorf("%s %s: decode %s: %v", name, kind, line, err)
				continue
			}
			if !reflect.DeepEqual(got, sent) {
				t.Errorf("%s %s came back as\n%#v, sent\n%#v", name, kind, got, sent)
			}
			if messages.KindOf(got) != kind || strings.ContainsRune(string(line), '\n') {
				t.Errorf("%s %s travels as %s", name, kind, line)
			}
		}
	}
}

// An event that holds only the beginning of its message says so, on its way
// back too.
func TestTruncatedKeepsItsMark(t *testing.T) {
	sent := messages.Truncated{Truncated: true}
	fill(t, reflect.ValueOf(&sent.CCMessage).Elem())
	data, err := json.Marshal(sent)
	if err != nil {
		t.Fatal(err)
	}
	var got messages.Truncated
	if err := json.Unmarshal(data, &got); err != nil || !reflect.DeepEqual(got, sent) {
		t.Errorf("%s came back as %+v, %v", data, got, err)
	}
	for _, bad := range []string{`{"truncated":7}`, `{"volume":11}`, `[]`} {
		if err := json.Unmarshal([]byte(bad), &got); err == nil {
			t.Errorf("%s was accepted", bad)
		}
	}
}

// What is not in the vocabulary is refused, and the refusal names it.
func TestDecodeRefusesByName(t *testing.T) {
	for line, want := range map[string]string{
		`{"kind":"sing","body":{}}`:                              "sing",
		`{"kind":"submit","body":{"volume":11}}`:                 "volume",
		`{"kind":"submit","body":{},"extra":1}`:                  "extra",
		`{"kind":"message","body":{"mood":"good"}}`:              "mood",
		`{"kind":"message","body":{"metadata":{"mood":"good"}}}`: "mood",
		`{"kind":"submit","body":{"message":{"mood":"good"}}}`:   "mood",
		`{"kind":"done"}{"kind":"done"}`:                         "something follows",
		`{"kind":"get_task","body":{"task_id":7}}`:               "task_id",
		`{"kind":"task","body":{"created_at":"yesterday"}}`:      "yesterday",
		`{"kind":"status","body":{"pid":1e99}}`:                  "pid",
		`[]`:                                                     "decode word",
		``:                                                       "decode word",
	} {
		if got, err := messages.Decode([]byte(line)); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s became %v, %v, want an error that says %q", line, got, err, want)
		}
	}
	_, err := messages.Decode([]byte(`{"kind":"sing"}`))
	if !errors.Is(err, messages.ErrUnknownKind) {
		t.Errorf("an unknown kind is %v", err)
	}
}

// A word without a body is the zero word: requests that say nothing more.
func TestDecodeWithoutABody(t *testing.T) {
	for _, line := range []string{`{"kind":"get_crew"}`, `{"kind":"get_crew","body":null}`, `{"kind":"get_crew","body":{}}`} {
		if got, err := messages.Decode([]byte(line)); err != nil || got != messages.Message(messages.GetCrew{}) {
			t.Errorf("%s became %v, %v", line, got, err)
		}
	}
}

func TestEncodeRefusesWhatIsNoWord(t *testing.T) {
	for _, m := range []messages.Message{nil, messages.Truncated{}, &messages.Done{}} {
		if line, err := messages.Encode(m); !errors.Is(err, messages.ErrUnknownKind) {
			t.Errorf("%T became %s, %v", m, line, err)
		}
	}
	if _, err := messages.Encode(messages.Event{Data: json.RawMessage(`{`)}); err == nil {
		t.Error("an event with broken data was encoded")
	}
}

// fill gives every field below v a value that is not its zero.
func fill(tb testing.TB, v reflect.Value) {
	tb.Helper()
	switch value := v.Addr().Interface().(type) {
	case *time.Time:
		*value = time.Date(2026, 4, 1, 9, 30, 0, 5000, time.UTC)
		return
	case *json.RawMessage:
		*value = json.RawMessage(`{"a":[1,"b"]}`)
		return
	}
	switch v.Kind() {
	case reflect.String:
		v.SetString("黒衣 <&> \n\u2028")
	case reflect.Bool:
		v.SetBool(true)
	case reflect.Int, reflect.Int64:
		v.SetInt(1<<53 + 1)
	case reflect.Uint8:
		v.SetUint(0xff)
	case reflect.Float64:
		v.SetFloat(0.1)
	case reflect.Pointer:
		v.Set(reflect.New(v.Type().Elem()))
		fill(tb, v.Elem())
	case reflect.Map:
		key, value := reflect.New(v.Type().Key()).Elem(), reflect.New(v.Type().Elem()).Elem()
		fill(tb, key)
		fill(tb, value)
		v.Set(reflect.MakeMap(v.Type()))
		v.SetMapIndex(key, value)
	case reflect.Slice:
		v.Set(reflect.MakeSlice(v.Type(), 2, 2))
		fill(tb, v.Index(0))
		fill(tb, v.Index(1))
	case reflect.Struct:
		for i := range v.NumField() {
			if v.Type().Field(i).Tag.Get("json") == "" && !v.Type().Field(i).Anonymous {
				tb.Errorf("%s.%s has no JSON name", v.Type(), v.Type().Field(i).Name)
			}
			fill(tb, v.Field(i))
		}
	default:
		tb.Errorf("a word holds a %s: words are plain values", v.Type())
	}
}
