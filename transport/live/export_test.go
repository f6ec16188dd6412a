package live

// Decode is how an order is read.
func Decode(kind int, raw []byte) (id string, err error) {
	o, err := decode(kind, raw)
	return o.ID, err
}

// Whole cuts a piece of text between two letters.
func Whole(data []byte, ended bool) []byte { return whole(data, ended) }
