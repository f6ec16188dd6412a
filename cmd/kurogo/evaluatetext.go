package main

// evaluationWords are what evaluations say to people, in both languages.
var evaluationWords = phrases{
	"round":      {"round %d", "第%d回"},
	"passes":     {"passes (target %.1f)", "合格(目標 %.1f)"},
	"below":      {"below the target of %.1f", "目標の %.1f に届きません"},
	"by":         {"by %s", "評価: %s"},
	"next":       {"next", "次に直すところ"},
	"fails":      {"try failed: %s", "失敗: %s"},
	"rewritten":  {"version %d: %s", "第%d版: %s"},
	"tips":       {"What would make it better:", "改善の提案:"},
	"no tips":    {"nothing to suggest", "提案はありません"},
	"completed":  {"the best of %d rounds: version %d", "全%d回のうち最良は第%d版"},
	"as it was":  {"the best of %d rounds is the document as it was", "全%d回で最良なのは元の文書です"},
	"written":    {"written to %s", "%s に書き込みました"},
	"kept":       {"the file was not changed", "ファイルは変更していません"},
	"target":     {"the target is reached", "目標に達しました"},
	"maximum":    {"the rounds are over", "最大回数に達しました"},
	"plateau":    {"it gets no better", "これ以上は良くなりません"},
	"blocker":    {"no rewriting helps", "書き直しでは解決できません"},
	"none":       {"no evaluations yet: kurogo evaluate FILE", "評価はまだありません: kurogo evaluate FILE"},
	"called off": {"%s is %s", "%s は %s です"},

	"completeness": {"completeness", "完全性"},
	"accuracy":     {"accuracy", "正確性"},
	"clarity":      {"clarity", "明確性"},
	"usability":    {"usability", "実用性"},

	"tool_running": {"begins", "準備中"}, "evaluating": {"evaluating", "評価中"}, "evaluator_running": {"the evaluator reads", "評価者が読んでいます"},
	"parsing": {"reading the verdict", "結果を読み取り中"}, "scoring": {"scoring", "採点中"},
	"needs_improvement": {"needs improvement", "改善が必要"}, "suggesting": {"being rewritten", "書き直し中"}, "retrying": {"tries again", "再試行中"},
	"done": {"done", "完了"}, "failed": {"failed", "失敗"}, "cancelled": {"cancelled", "中止"},
}

// sayOf is a word about evaluations in the language of the configuration; one that
// is not known is said as it is.
func (p *program) sayOf(key string) string { return p.pick(evaluationWords, key) }
