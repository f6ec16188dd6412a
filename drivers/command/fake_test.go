package command_test

import (
	"encoding/json"
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
	b, _ := json.Marshal(map[string]string{"type": kind, "text": text})
	fmt.Println(string(b))
}

func end(text string, ok bool) {
	b, _ := json.Marshal(map[string]any{"type": "end", "text": text, "ok": ok, "used": map[string]float64{"in": 7, "usd": 0.0125}})
	fmt.Println(string(b))
}

func fake(as string, args []string) {
	told := make(chan os.Signal, 1)
	switch as {
	case string(drivertest.Mute):
		<-time.After(time.Hour)
	case string(drivertest.Leaves):
		os.Exit(drivertest.Status)
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
		fmt.Fprintf(os.Stderr, "this is no prompt of mine: %q\n", prompt)
		os.Exit(2)
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
		fmt.Fprintln(os.Stderr, what)
		os.Exit(1)
	}
	switch as {
	case silent, torrent:
	case blank:
		fmt.Println("  \n ")
	case half:
		fmt.Print("half a line")
		os.Exit(drivertest.Status)
	case giant:
		fmt.Println(strings.Repeat("x", 9<<20))
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
	switch b { //nolint:exhaustive // the rest speaks
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
	case drivertest.Babbles:
		fmt.Print(drivertest.Noise)
	case drivertest.Mumbles:
		fmt.Print("{\"type\":\"\xff\xfe\n\xc3\x28\n")
	case drivertest.Shouts:
		fmt.Println(strings.Repeat("x", 9<<20))
	case drivertest.Tears:
		fmt.Print(`{"type":"end","ok":`)
		os.Exit(drivertest.Status)
	case drivertest.Lies:
		fmt.Println(`{"type":"say","text":{"no":"text"}}`)
		<-time.After(time.Hour)
	case drivertest.Breeds:
		child := exec.Command(os.Args[0], verb, string(drivertest.Mute))
		child.SysProcAttr, child.Stdout = &syscall.SysProcAttr{Setsid: true}, os.Stdout
		if err := child.Start(); err != nil {
			panic(err)
		}
	}
	say("think", drivertest.Thought)
	say("say", drivertest.First)
	say("say", drivertest.Last)
	end(drivertest.Last, true)
	switch b { //nolint:exhaustive // the rest leaves well
	case drivertest.Lingers:
		<-time.After(time.Hour)
	case drivertest.Belies:
		os.Exit(drivertest.Status)
	}
}
