package tools

// Instructions tell the main agent of a client, once at the beginning, when to
// delegate, how to wait and how to report. language is "ja" or "en".
func Instructions(language string) string {
	if language == "ja" {
		return instructionsJA
	}
	return instructionsEN
}

const instructionsEN = `Kurogo runs other AI coding agents for you, side by side, each in a process of its own.

When to delegate: the work falls into parts that do not need each other (implement, test, review, research), or one part would fill your context. Do small things yourself. Agents do not see this conversation: put everything they need into the prompt, and give agents that write at the same time different files.

How:
1. list_roles: who is available.
2. create_group: once for a piece of work.
3. run_agents (or run_agent): returns agentIds at once. Use run_sequential when later work needs earlier results.
4. wait_agent with all agentIds. timedOut: true is no error: the agents go on; call wait_agent again with the pending ones. Do not poll list_agents.
5. get_agent_status: read each result. status success is what the agent says of itself; look at the files before you rely on it.
6. delete_group when you have read the results. cancel_agent ends what is no longer wanted.

How to report: tell your user what each agent did, which files changed and what failed; do not paste whole outputs.

submit_task gives a whole task to the crew of personas (grand_boss and those below), which plans and answers by itself; get_task shows what came of it. send_message writes to one of them.

evaluate_document judges a document that you wrote: work its suggestions in and call it again until pass is true, five times at most. improve_document has that done for you. If a call ends with deadline, make the same call again: it goes on.

Calls that start or send take an idempotency_key: with it you may repeat a call whose answer you never saw. Every error names what is wrong and what to do; do that before you try anything else.

If you are yourself an agent that Kurogo runs: when your work is done, call report_result with your own agentId, then end.`

const instructionsJA = `Kurogo は、ほかの AI コーディングエージェントを、それぞれ独立したプロセスとして並行して実行します。

委任するとき: 作業が互いに独立した部分（実装・テスト・レビュー・調査など）に分かれる場合、または一部だけでコンテキストが埋まってしまう場合。小さな作業は自分で行ってください。エージェントにはこの会話が見えません。必要な情報はすべて prompt に書き、同時に書き込むエージェントには別々のファイルを割り当ててください。

手順:
1. list_roles: 利用できる職種を確認する。
2. create_group: 一つの仕事につき一度だけグループを作る。
3. run_agents（または run_agent）: agentId がすぐに返る。後の作業が前の結果を必要とするなら run_sequential を使う。
4. wait_agent にすべての agentId を渡して待つ。timedOut: true はエラーではない。エージェントは動き続けているので、pending の agentId でもう一度 wait_agent を呼ぶ。list_agents を繰り返し呼んで待たないこと。
5. get_agent_status: それぞれの結果を読む。success はエージェント自身の申告なので、頼る前にファイルを確かめる。
6. 結果を読み終えたら delete_group でグループを閉じる。不要になったエージェントは cancel_agent で終わらせる。

報告のしかた: 各エージェントが何をしたか、どのファイルが変わったか、何が失敗したかをユーザーに伝える。出力全体を貼り付けないこと。

submit_task は、ペルソナのチーム（grand_boss とその部下）に仕事を丸ごと任せます。チームが自分で計画して答え、結果は get_task で確認できます。send_message はその一人にメッセージを送ります。

evaluate_document は、あなたが書いた文書を採点します。提案を反映し、pass が true になるまで最大5回呼び直してください。improve_document は改善まで任せます。deadline で終わった場合は、同じ呼び出しをもう一度行ってください。評価は続いています。

開始や送信を行うツールは idempotency_key を受け取ります。これを付けておけば、応答を受け取れなかった呼び出しを安全に繰り返せます。エラーには何が悪いかと何をすべきかが書かれています。まずそれに従ってください。

あなた自身が Kurogo に実行されているエージェントなら、作業が終わったら自分の agentId で report_result を呼び、それから終了してください。`
