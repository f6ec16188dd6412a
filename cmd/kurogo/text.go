package main

// words are what the verbs say to people, in both languages. Errors are English
// in both: they are searched for.
var words = map[string]struct{ en, ja string }{
	"interrupted":    {"interrupted", "中断しました"},
	"serving":        {"kurogo serves %[2]s (pid %[1]d)", "%[2]s の kurogo が動いています (pid %[1]d)"},
	"nobody serves":  {"nobody serves this project", "このプロジェクトの kurogo は動いていません"},
	"stopped":        {"stopped", "停止しました"},
	"accepted":       {"accepted: task %s for %s", "受け付けました: タスク %s(宛先 %s)"},
	"goes on":        {"the task goes on without us: kurogo task %s", "タスクは続きます: kurogo task %s"},
	"wait hint":      {"follow it: kurogo messages --task %[1]s --follow   result: kurogo task %[1]s", "経過: kurogo messages --task %[1]s --follow   結果: kurogo task %[1]s"},
	"rehearsal":      {"This is a rehearsal: the crew plays a script, nobody thinks and nothing is paid.", "これはリハーサルです。役者は台本を演じるだけで、AI は使わず、費用もかかりません。"},
	"parked":         {"must wait: %s (kurogo approvals)", "待っています: %s(kurogo approvals)"},
	"no approvals":   {"nothing waits for your word", "承認待ちはありません"},
	"resumed":        {"granted %s; %d messages go on", "%s を追加しました。%d 件の伝言が進みます"},
	"no tasks":       {"no tasks yet: kurogo submit \"…\"", "タスクはまだありません: kurogo submit \"…\""},
	"refused":        {"refused", "拒否"},
	"retries":        {"falls (attempt %d), will be given again: %s", "倒れました(%d回目)。もう一度渡します: %s"},
	"gives up":       {"given up after attempt %d: %s", "%d回目で打ち切り: %s"},
	"expired":        {"expired unread: %s", "未読のまま期限切れ: %s"},
	"thinks":         {"thinks", "思考"},
	"task":           {"task", "タスク"},
	"demo opens":     {"Task for %s: %s", "%s への依頼: %s"},
	"demo checks":    {"What was to be seen on this stage:", "この舞台の見どころ:"},
	"demo files":     {"The crew wrote %d files into %s", "座組は %[2]s に %[1]d 個のファイルを書きました"},
	"demo runs":      {"and they build and run:", "ビルドして動かすと:"},
	"demo no go":     {"(no go command here: not built)", "(go コマンドがないので、ビルドは省きました)"},
	"demo end":       {"Nothing was lost, nothing is left running. Yours: kurogo init && kurogo submit \"…\" --wait", "失われたものも、残ったプロセスもありません。次はあなたの番です: kurogo init && kurogo submit \"…\" --wait"},
	"scene parallel": {"specialists at work at the same time", "専門家たちが同時に働く"},
	"scene retry":    {"one fell and was given its turn again", "一人が倒れ、もう一度出番をもらう"},
	"scene refused":  {"one message refused by permissions", "権限のない伝言が一つ断られる"},
	"scene urgent":   {"an urgent message overtook an older one", "急ぎの伝言が先の伝言を追い越す"},
	"scene expired":  {"one message expired unread", "一つの伝言が読まれずに期限を迎える"},
	"scene answered": {"every task ended exactly once, and the journal is sound", "すべてのタスクが一度だけ終わり、台帳に乱れがない"},
	"scene swept":    {"no process was left behind", "残ったプロセスはない"},
	"journal sound":  {"the journal is sound: %d invariants hold", "台帳は健全です: %d 個の不変条件が成り立っています"},
	"journal broken": {"the journal breaks %d promises:", "台帳が約束を %d 件破っています:"},
	"belongs in":     {"this belongs in %s", "これは %s に書きます"},
	"wrote":          {"wrote %s: read it, change it, then: kurogo submit \"…\" --wait", "%s を書きました。読んで直したら: kurogo submit \"…\" --wait"},
	"recorded":       {"recorded %[1]d scenes into %[2]s; play them: --set driver=rehearsal --set drivers.rehearsal.performance=%[2]s", "%[2]s に %[1]d 場面を記録しました。再演: --set driver=rehearsal --set drivers.rehearsal.performance=%[2]s"},
	"record note":    {"note: %s", "注意: %s"},
	"installed":      {"%s knows this kurogo now: %s (restart it)", "%s に kurogo を登録しました: %s(再起動してください)"},
	"knew us":        {"%s knew this kurogo already: %s", "%s には登録済みです: %s"},
	"token env":      {"it takes the token from its environment: export KUROGO_TOKEN=\"$(kurogo token)\"", "トークンは環境変数から読みます: export KUROGO_TOKEN=\"$(kurogo token)\""},
	"no agents":      {"no agents yet: kurogo agent run --role impl-code \"…\"", "エージェントはまだいません: kurogo agent run --role impl-code \"…\""},
	"no groups":      {"no groups yet: kurogo group create \"…\"", "グループはまだありません: kurogo group create \"…\""},
	"new group":      {"in the new group %s", "新しいグループ %s で動かします"},
	"group deleted":  {"the group %s is deleted; it stays in the history", "グループ %s を閉じました。履歴には残ります"},
	"agent hint":     {"follow it: kurogo logs %[1]s --follow   result: kurogo agent wait %[1]s", "経過: kurogo logs %[1]s --follow   結果: kurogo agent wait %[1]s"},
	"agents go on":   {"it goes on without us: kurogo agent wait %s", "エージェントは続きます: kurogo agent wait %s"},
	"step models":    {"Checking models...", "モデル検証中..."},
	"step health":    {"Checking health...", "ヘルスチェック実行中..."},
	"step done":      {"Done", "完了"},
	"roles fit":      {"%d of %d roles can be run", "全 %[2]d 職種中 %[1]d 職種が利用可能です"},
	"valid":          {"valid", "有効"},
	"not valid":      {"not valid", "無効"},
	"not known":      {"not known", "不明"},
	"waits":          {"waiting", "待機中"},
	"checks":         {"checking...", "チェック中..."},
	"no browser":     {"the browser was not opened: %v", "ブラウザを開けませんでした: %v"},
	"stopped one":    {"%s is stopped; its inbox waits", "%s を止めました。届いた伝言は残ります"},
	"started one":    {"%s goes on", "%s を再開しました"},
}

// say is a word in the language of the configuration.
func (p *program) say(key string) string {
	if p.cfg.Language == "ja" {
		return words[key].ja
	}
	return words[key].en
}
