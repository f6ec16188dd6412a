package rehearsal

import "kurogo/drivers/process"

// Decode lets the fuzzer at the driver's decoder.
func Decode(line process.Line) (known bool, warning string, err error) {
	w, warning, err := decode(line)
	return w.Type != "", warning, err
}
