package config

import "kurogo/messages"

// personaDriver is what a persona runs on when nobody says anything.
const personaDriver = "claude"

// A member is a persona of the built-in crew. Its personality is the file
// crew/<language>/<name>.md.
type member struct {
	reportsTo messages.Address
	title     map[string]string // by language
}

var crew = map[messages.Address]member{
	"grand_boss":          {messages.User, map[string]string{"ja": "座長", "en": "Grand Boss"}},
	"middle_manager":      {"grand_boss", map[string]string{"ja": "番頭", "en": "Middle Manager"}},
	"coding_specialist":   {"middle_manager", map[string]string{"ja": "実装担当", "en": "Coding Specialist"}},
	"research_specialist": {"middle_manager", map[string]string{"ja": "調査担当", "en": "Research Specialist"}},
	"writing_specialist":  {"middle_manager", map[string]string{"ja": "文章担当", "en": "Writing Specialist"}},
	"analysis_specialist": {"middle_manager", map[string]string{"ja": "分析担当", "en": "Analysis Specialist"}},
	"testing_specialist":  {"middle_manager", map[string]string{"ja": "試験担当", "en": "Testing Specialist"}},
}

// introduce gives a persona its title and its prompt.
func (l *loading) introduce(language, name string, p *Persona) {
	at := path{"personas", name}
	builtIn, known := crew[messages.Address(name)]
	if p.Title == "" {
		p.Title = name
		if known {
			p.Title = builtIn.title[language]
		}
	}
	unreadable := p.PromptFile != ""
	p.SystemPrompt, p.PromptFile = l.prompt(at, "system_prompt", p.SystemPrompt, "prompt_file", p.PromptFile)
	switch {
	case p.SystemPrompt != "":
	case known:
		p.SystemPrompt = shipped("crew", language, name)
	case !unreadable:
		l.report(at, "write system_prompt or prompt_file; {{rules}} in it stands for how the crew works together", "%s has no prompt", name)
	}
	p.SystemPrompt = expand(p.SystemPrompt, language, name, *p)
}
