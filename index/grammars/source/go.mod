// Not a Go module: it keeps what npm brings out of ./... of the one above.
module kurogo/index/grammars/source
