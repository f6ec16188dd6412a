package local

// FrameBytes is the bound of one frame.
const FrameBytes = frameBytes

// PathBytes is the bound of a socket's path.
const PathBytes = pathBytes

// Window is how many events of a watch travel on credit.
const Window = window

// Reframe decodes a line and encodes what it said.
func Reframe(line []byte) ([]byte, error) {
	f, err := decodeFrame(line)
	if err != nil {
		return nil, err
	}
	return f.encode()
}
