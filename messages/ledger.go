package messages

// GetLedger asks what the tasks of one tree have taken, or with an empty Task the
// newest root tasks with all that is below each. Answer: Ledger. Refusals:
// not_found.
type GetLedger struct {
	Task TaskID `json:"task_id,omitempty"`
}

// Ledger answers GetLedger, in the order of asking.
type Ledger struct {
	Rows []LedgerRow `json:"rows"`
}

// A LedgerRow is what one task has taken: turns that were paid or played, the most
// attempts that one of its messages needed, and money.
type LedgerRow struct {
	Task         TaskID `json:"task_id"`
	Turns        int    `json:"turns"`
	Attempts     int    `json:"attempts"`
	Micros       int64  `json:"micros"`
	InputTokens  int64  `json:"input_tokens"`
	OutputTokens int64  `json:"output_tokens"`
}

func (GetLedger) word() {}
func (Ledger) word()    {}
