package command_test

import (
	"fmt"
	"io"
	"os"
	"os/exec"
	"os/signal"
	"strings"
	"syscall"
	"time"

	"kurogo/drivers/drivertest"
)

// What a fake program does besides what the exam asks for.
const (
	tells     = "tells"      // says how it was started, and with which prompt
	silent    = "silent"     // says nothing and leaves well
	blank     = "blank"      // says only spaces and leaves well
	half      = "half"       // says a line that nothing ends, and leaves with Status
	torrent   = "torrent"    // answers without reading, far more than it may
	giant     = "giant"      // answers with one line of 9 MiB
	garbled   = "garbled"    // answers with what is no text
	closes    = "closes"     // answers, closes its output and lives on
	shouts    = "says "      // and what: as its answer, and leaves with 1
	complains = "complains " // and what: on its stderr, and leaves with 1
)

func say(kind, text string) {
	drivertest.Say(map[string]string{"type": kind, "text": text})
}

func end(text string, ok bool) {
	drivertest.Say(map[string]any{"type": "end", "text": text, "ok": ok, "used": map[string]float64{"in": 7, "usd": 0.0125}})
}

func fake(as string, args []string) {
	told := make(chan os.Signal, 1)
	drivertest.Rise(drivertest.Behaviour(as))
	switch as {
	case string(drivertest.Tardy):
		signal.Notify(told, syscall.SIGTERM)
	case string(drivertest.Deaf):
		signal.Ignore(syscall.SIGTERM, syscall.SIGINT)
	case torrent:
		for range 64 {
			fmt.Println(strings.Repeat("x", 64<<10))
		}
	}
	prompt, _ := io.ReadAll(os.Stdin)
	if as == tells {
		fmt.Printf("%s\n%s\n%s\n", strings.Join(os.Environ(), "\n"), strings.Join(args, "\n"), prompt)
		return
	}
	if !strings.HasSuffix(string(prompt), "やってください。\n") {
		drivertest.Complain(2, fmt.Sprintf("this is no prompt of mine: %q", prompt))
	}
	if plain(as) {
		return
	}
	turn(drivertest.Behaviour(as), told)
}

// plain reports whether that was an answer in plain text.
func plain(as string) bool {
	if what, ok := strings.CutPrefix(as, shouts); ok {
		fmt.Println(what)
		os.Exit(1)
	}
	if what, ok := strings.CutPrefix(as, complains); ok {
		drivertest.Complain(1, what)
	}
	switch as {
	case silent, torrent:
	case blank:
		fmt.Println("  \n ")
	case half:
		fmt.Print("half a line")
		os.Exit(drivertest.Status)
	case giant:
		fmt.Println(strings.Repeat("x", drivertest.TooLong))
	case garbled:
		fmt.Print("caf\xe9\r\n\x1b[1mbold\x1b[0m\n")
	case closes:
		fmt.Println(drivertest.Last)
		_ = os.Stdout.Close()
		<-time.After(time.Hour)
	default:
		return false
	}
	return true
}

// turn is an answer in events.
func turn(b drivertest.Behaviour, told <-chan os.Signal) {
	switch b {
	case drivertest.Fails:
		end("400: "+drivertest.Last, false)
		os.Exit(1)
	case drivertest.Dawdles, drivertest.Deaf, drivertest.Shuts:
		say("say", drivertest.First)
		if b == drivertest.Shuts {
			_ = os.Stdout.Close()
		}
		<-time.After(time.Hour)
	case drivertest.Tardy:
		say("say", drivertest.First)
		<-told
		end(drivertest.Last, true)
		return
	case drivertest.Floods:
		for range drivertest.Many {
			say("say", drivertest.First)
		}
		end(drivertest.Last, true)
		return
	case drivertest.Crashes, drivertest.Quits:
		say("say", drivertest.First)
		if b == drivertest.Crashes {
			os.Exit(drivertest.Status)
		}
		return
	case drivertest.Breeds:
		child := exec.Command(os.Args[0], verb, string(drivertest.Mute))
		child.SysProcAttr, child.Stdout = &syscall.SysProcAttr{Setsid: true}, os.Stdout
		if err := child.Start(); err != nil {
			panic(err)
		}
	default:
		drivertest.Blurt(b, `{"type":"end","ok":`, `{"type":"say","text":{"no":"text"}}`)
	}
	say("think", drivertest.Thought)
	say("say", drivertest.First)
	say("say", drivertest.Last)
	end(drivertest.Last, true)
	drivertest.Part(b)
}
