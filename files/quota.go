package files

import (
	"sync"

	"kurogo/messages"
)

// A Quota bounds what one task may change; what belongs to no task has none.
type Quota struct {
	Changes int   // how often; 0 = 2,000
	Bytes   int64 // how much is written in all; 0 = 64 MiB
}

// remembered bounds the tasks that are counted. The one that is forgotten first
// began first.
const remembered = 4096

// A purse counts what tasks have spent of their quotas.
type purse struct {
	quota Quota

	mu    sync.Mutex
	spent map[string]*Quota
	order []string
}

func newPurse(q Quota) *purse {
	if q.Changes <= 0 {
		q.Changes = 2000
	}
	if q.Bytes <= 0 {
		q.Bytes = 64 << 20
	}
	return &purse{quota: q, spent: map[string]*Quota{}}
}

// spend takes from the quota of a task, or refuses and takes nothing. What is
// taken stays taken, also when the change fails: a task that fails for ever ends.
func (p *purse) spend(task string, changes int, bytes int64) error {
	if task == "" {
		return nil
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	s := p.spent[task]
	if s == nil {
		if len(p.order) == remembered {
			delete(p.spent, p.order[0])
			p.order = p.order[1:]
		}
		s = &Quota{}
		p.spent[task], p.order = s, append(p.order, task)
	}
	switch {
	case s.Changes+changes > p.quota.Changes:
		return messages.Errorf(messages.CodeDenied, "the task has used its %d changes of files", p.quota.Changes).Try("end the task with what there is")
	case s.Bytes+bytes > p.quota.Bytes:
		return messages.Errorf(messages.CodeDenied, "the task would have written more than %d bytes", p.quota.Bytes).Try("end the task with what there is")
	}
	s.Changes += changes
	s.Bytes += bytes
	return nil
}
