// Package modeltest is a model that says what a test wrote for it: a server on
// loopback that speaks as much of the model services' HTTP as the real CLIs of
// agents need. No key means anything to it, and nothing leaves the machine.
//
// A test adds rules; the first that knows what to do with a request decides.
// Everything that was asked is kept, so that a test sees what a model would have
// seen: the personality, the conversation, the tools.
//
// Anthropic's Messages are spoken (anthropic.go), OpenAI's Responses (openai.go),
// and the chats of Ollama and of OpenAI's chat completions (chat.go).
package modeltest
