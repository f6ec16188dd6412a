// Film makes a moving picture of screenshots:
//
//	go run -C tools ./film -out ../docs/stage.gif DIR
//
// The frames are the PNG files in DIR, all of one size, in the order of their
// names; a name ends with how many milliseconds its frame is seen, as in
// 0007-250.png. All frames share one palette, and of each only what has changed
// is kept, so that a quiet page costs next to nothing.
package main

import (
	"errors"
	"flag"
	"fmt"
	"image"
	"image/gif"
	"image/png"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"time"
)

func main() {
	if err := run(os.Args[1:], os.Stdout); err != nil {
		fmt.Fprintln(os.Stderr, "film:", err)
		os.Exit(1)
	}
}

func run(args []string, out io.Writer) error {
	flags := flag.NewFlagSet("film", flag.ContinueOnError)
	to := flags.String("out", "film.gif", "the file to write")
	if err := flags.Parse(args); err != nil {
		return err
	}
	if flags.NArg() != 1 {
		return errors.New("name one directory of frames")
	}
	frames, err := read(flags.Arg(0))
	if err != nil {
		return err
	}
	movie, err := shoot(frames)
	if err != nil {
		return err
	}
	f, err := os.Create(*to)
	if err != nil {
		return fmt.Errorf("write film: %w", err)
	}
	if err := errors.Join(gif.EncodeAll(f, movie), f.Close()); err != nil {
		return fmt.Errorf("write film: %w", err)
	}
	info, err := os.Stat(*to)
	if err != nil {
		return fmt.Errorf("write film: %w", err)
	}
	length := time.Duration(0)
	for _, d := range movie.Delay {
		length += time.Duration(d) * tick
	}
	_, err = fmt.Fprintf(out, "%s: %d frames of %d, %v, %d KiB\n", *to, len(movie.Image), len(frames), length, info.Size()>>10)
	return err
}

// A frame is a picture, and how long it is seen.
type frame struct {
	picture image.Image
	seen    time.Duration
}

var frameName = regexp.MustCompile(`-(\d{1,5})\.png$`)

// read reads the frames of a directory.
func read(dir string) ([]frame, error) {
	names, err := filepath.Glob(filepath.Join(dir, "*.png"))
	if err != nil || len(names) == 0 {
		return nil, errors.Join(fmt.Errorf("read frames: there is none in %s", dir), err)
	}
	slices.Sort(names)
	var frames []frame
	for _, name := range names {
		m := frameName.FindStringSubmatch(name)
		if m == nil {
			return nil, fmt.Errorf("read frames: %s does not say how long it is seen", filepath.Base(name))
		}
		millis, err := strconv.Atoi(m[1])
		if err != nil {
			return nil, fmt.Errorf("read frames: %w", err)
		}
		picture, err := open(name)
		if err != nil {
			return nil, err
		}
		frames = append(frames, frame{picture, time.Duration(millis) * time.Millisecond})
	}
	return frames, nil
}

func open(name string) (image.Image, error) {
	f, err := os.Open(name)
	if err != nil {
		return nil, fmt.Errorf("read frame: %w", err)
	}
	defer f.Close()
	picture, err := png.Decode(f)
	if err != nil {
		return nil, fmt.Errorf("read frame %s: %w", filepath.Base(name), err)
	}
	return picture, nil
}
