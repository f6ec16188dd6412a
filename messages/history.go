package messages

// ListHistory asks for agents that have ended, of groups that are deleted too, a
// page at a time. Answer: History. Refusals: invalid.
type ListHistory struct {
	Group  GroupID     `json:"groupId,omitempty"`
	Role   string      `json:"role,omitempty"`
	Status AgentStatus `json:"status,omitempty"` // how it ended, or result_reported
	Find   string      `json:"find,omitempty"`   // words that must all be there
	Sort   string      `json:"sort,omitempty"`   // when, duration, tools, role, status or group, "-" turns it round; "" = -when
	Until  int64       `json:"until,omitempty"`  // of the first page; agents that came later are left out
	Offset int         `json:"offset,omitempty"`
	Limit  int         `json:"limit,omitempty"` // 0 = 100, the most is 500
}

// History answers ListHistory. The groups are those of the agents on the page.
type History struct {
	Agents []Agent  `json:"agents"`
	Groups []Group  `json:"groups"`
	Roles  []string `json:"roles"` // that any agent ever had
	Total  int      `json:"total"` // on all pages
	Until  int64    `json:"until"` // to ask for the next page with
}

func (ListHistory) word() {}
func (History) word()     {}
