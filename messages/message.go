package messages

// A Message is one word of the vocabulary. The unexported method closes the
// set: a word that is not declared in this package cannot be sent.
type Message interface{ word() }
