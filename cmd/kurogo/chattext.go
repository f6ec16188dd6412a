package main

// chatWords are what chats say to people, in both languages.
var chatWords = phrases{
	"hello":        {"Ask about this project. /help says what else there is; Ctrl-D leaves.", "このプロジェクトについて聞いてください。/help で使い方、Ctrl-D で終わります。"},
	"help":         {"/sources  /task [TEXT]  /new  /sessions  /quit", "/sources 出典  /task [内容] 座組に頼む  /new 新しい会話  /sessions 一覧  /quit 終わる"},
	"new":          {"a new session begins with the next line", "次の行から新しい会話になります"},
	"again":        {"(once more)", "(もう一度)"},
	"leans on":     {"%d sources: /sources", "出典 %d 件: /sources"},
	"leans on one": {"1 source: /sources", "出典 1 件: /sources"},
	"fallback":     {"nobody could answer; kurogo.log says why (kurogo doctor says where it is)", "回答できませんでした。理由は kurogo.log にあります(場所は kurogo doctor)"},
	"no sources":   {"the last answer leans on nothing", "直前の回答に出典はありません"},
	"untitled":     {"(untitled)", "(無題)"},
	"do it":        {"Do what this talk has come to.", "この会話で決まったことを実行してください。"},
	"talk":         {"The talk so far:", "これまでの会話:"},
}

// sayChat is a word about chats in the language of the configuration.
func (p *program) sayChat(key string) string { return p.pick(chatWords, key) }
