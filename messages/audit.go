package messages

import (
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"time"
)

// Audit appends to the audit trail. Whoever is lazy is answered before the rows
// are durable: what was only read changed nothing. Seq, Prev and Hash are the
// journal's to give.
type Audit struct {
	Rows []AuditRow
	Lazy bool
}

// An AuditRow is one thing that was asked of the file gateway, done or refused.
// Each carries the hash of the one before, so that nobody changes one alone.
type AuditRow struct {
	Seq    int64     `json:"seq"`
	At     time.Time `json:"at"`
	Trace  string    `json:"trace_id"`
	Task   string    `json:"task,omitempty"`
	Actor  Address   `json:"actor"`
	Method string    `json:"method"`
	Path   string    `json:"path"`
	Size   int64     `json:"size"`
	Status int       `json:"status"`           // of HTTP, by whatever way it was asked
	Reason string    `json:"reason,omitempty"` // of a refusal
	Before string    `json:"before,omitempty"` // SHA-256 of the file; "" = none, or not looked at
	After  string    `json:"after,omitempty"`
	Prev   string    `json:"prev"`
	Hash   string    `json:"hash"`
}

// Seal is the hash of the row: of everything in it but the hash, each part with
// its length in front, so that no two rows read alike. Times count in
// milliseconds, which is what the journal keeps.
func (r AuditRow) Seal() string {
	var b []byte
	number := func(n int64) { b = binary.BigEndian.AppendUint64(b, uint64(n)) }
	text := func(s string) {
		number(int64(len(s)))
		b = append(b, s...)
	}
	text(r.Prev)
	number(r.Seq)
	number(r.At.UnixMilli())
	number(r.Size)
	number(int64(r.Status))
	for _, s := range []string{r.Trace, r.Task, string(r.Actor), r.Method, r.Path, r.Reason, r.Before, r.After} {
		text(s)
	}
	sum := sha256.Sum256(b)
	return hex.EncodeToString(sum[:])
}

// ListAudit asks for rows of the audit trail behind Since, oldest first. Limit 0
// means 200.
type ListAudit struct {
	Trace string `json:"trace_id,omitempty"`
	Task  string `json:"task,omitempty"`
	Since int64  `json:"since,omitempty"`
	Limit int    `json:"limit,omitempty"`
}

// AuditTrail answers ListAudit.
type AuditTrail struct {
	Rows []AuditRow `json:"rows"`
	Next int64      `json:"next"` // Since of the next page
}

// VerifyAudit asks whether the audit trail is as it was written. Seq and Hash are
// a head that was noted elsewhere: with it a trail that was written anew as a
// whole, or cut and sealed again, is found too.
type VerifyAudit struct {
	Seq  int64  `json:"seq,omitempty"`
	Hash string `json:"hash,omitempty"`
}

// AuditVerdict answers VerifyAudit. Seq and Hash are its head: note them where
// nobody who can write the journal can write.
type AuditVerdict struct {
	Rows   int64        `json:"rows"`
	Seq    int64        `json:"seq"`
	Hash   string       `json:"hash"`
	Faults []AuditFault `json:"faults,omitempty"` // the first 20
}

// An AuditFault is a place at which the trail is not as it was written.
type AuditFault struct {
	Seq  int64  `json:"seq"`
	What string `json:"what"`
}

func (Audit) change() {}

func (ListAudit) word()    {}
func (AuditTrail) word()   {}
func (VerifyAudit) word()  {}
func (AuditVerdict) word() {}
