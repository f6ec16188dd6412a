package main

// runWords are what runs say to people, in both languages.
var runWords = phrases{
	"detached":    {"it runs: kurogo runs %[1]s   its trace: kurogo trace %[1]s", "実行中です: kurogo runs %[1]s   経過: kurogo trace %[1]s"},
	"calling off": {"calling the run off (Ctrl-C again: without waiting)", "実行を取り消しています(もう一度 Ctrl-C で待たずに終了)"},
	"plan made":   {"planned; steps: %d", "計画しました。手順: %d"},
	"plan reused": {"the plan of the same task is used again; steps: %d", "同じタスクの計画を再利用します。手順: %d"},
	"plan given":  {"the plan was given; steps: %d", "与えられた計画を使います。手順: %d"},
	"no plan":     {"that was no plan: %s", "計画として読めません: %s"},
	"step on":     {"%s begins", "%s を始めます"},
	"repair":      {"%s is repaired (attempt %d)", "%s を直しています(%d回目)"},
	"step ok":     {"%s is done", "%s が終わりました"},
	"step failed": {"%s failed: %s", "%s が失敗しました: %s"},
	"step left":   {"%s is left out: %s", "%s は行いません: %s"},
	"proved":      {"verified: %s (%s)", "検証成功: %s(%s)"},
	"not proved":  {"not verified: %s (%s)", "検証失敗: %s(%s)"},
	"tool failed": {"%s: %s", "%s: %s"},
	"asks delete": {"may %s be deleted?", "%s を削除してもよいですか?"},
	"asks run":    {"may this be run: %s ?", "これを実行してもよいですか: %s"},
	"ask hint":    {"answer with: kurogo approve %[1]s, or kurogo approve %[1]s --deny", "回答: kurogo approve %[1]s、または kurogo approve %[1]s --deny"},
	"yes or no":   {"%s [y/N] ", "%s [y/N] "},
	"changed":     {"files changed: %d (%s); to take them back: kurogo undo %s", "変更したファイル: %d(%s)。元に戻すには: kurogo undo %s"},
	"unchanged":   {"no file is changed", "変更されたファイルはありません"},
	"ended done":  {"done; steps verified: %d", "完了。検証した手順: %d"},
	"ended part":  {"only in part: %d of %d steps are done. %s", "一部のみ: %[2]d 手順中 %[1]d 手順が完了。%[3]s"},
	"ended fail":  {"failed: %s", "失敗: %s"},
	"ended off":   {"the run was called off", "実行は取り消されました"},
	"none":        {"no runs yet: kurogo run --task \"…\"", "実行はまだありません: kurogo run --task \"…\""},
	"called off":  {"%s is %s", "%s は %s です"},
	"undone":      {"%s: %s", "%s: %s"},
	"answered":    {"your word is given", "回答しました"},
	"no stats":    {"no run has ended yet", "終了した実行はまだありません"},

	"runs": {"runs", "実行"}, "success": {"success", "成功率"}, "p95": {"95 % end within", "95 % の所要時間"}, "partial": {"done in part", "一部のみ完了"},
	"refusals": {"refused by the policy", "ポリシーによる拒否"}, "reproduced": {"same plan with --replan", "--replan で同じ計画"},
	"repairs": {"steps repaired", "修復した手順"}, "repair size": {"repairs of one, on average", "一手順あたりの修復回数"}, "evidence": {"evidence agreement", "根拠の一致"},

	"accepted": {"accepted", "受付済み"}, "planning": {"planning", "計画中"}, "surveying": {"looking at the files", "ファイルを調べています"}, "planned": {"planned", "計画済み"},
	"comparing": {"comparing", "差分を確認中"}, "waiting for approval": {"waits for a person's word", "承認待ち"},
	"done": {"done", "完了"}, "failed": {"failed", "失敗"}, "cancelled": {"cancelled", "取り消し"},
	"executing": {"executing", "実行中"}, "verifying": {"verifying", "検証中"}, "repairing": {"repairing", "修復中"},
}

// sayRun is a word about runs in the language of the configuration; one that is not
// known is said as it is.
func (p *program) sayRun(key string) string { return p.pick(runWords, key) }
