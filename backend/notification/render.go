package notification

import (
	"net/url"
	"strings"
	"unicode"
	"unicode/utf8"
)

// maxSnippetLength is the maximum number of characters of a quoted snippet.
const maxSnippetLength = 140

// render returns the in-app notification of an event, unread, created at now. The event's type must be known and its
// payload valid.
func render(e Event, now Moment) Notification {
	k, _ := eventKindOf(e.EventType)
	s, _ := e.Payload.read()
	return Notification{
		ID: e.ID, UserID: e.UserID, Category: e.Category, EventType: e.EventType,
		Title: k.title, Body: k.body(s), Deeplink: deeplink(e.UserID, s),
		TargetID: Text(s.TargetID), TargetType: Text(s.TargetType), CreatedAt: now,
	}
}

// body states who did what, and quotes the snippet.
func (k eventKind) body(s payloadFields) string {
	actor := oneLine(s.ActorName)
	if actor == "" {
		actor = "Someone"
	}
	target := string(s.TargetType)
	switch {
	case s.TargetType == User:
		target = "profile"
	case target == "":
		target = "content"
	}
	text := strings.NewReplacer("{actor}", actor, "{target}", target).Replace(k.textTemplate)
	if quoted := clip(oneLine(s.Snippet), maxSnippetLength); quoted != "" && k.snippetTemplate != "" {
		text += ": " + strings.ReplaceAll(k.snippetTemplate, "{snippet}", "“"+quoted+"”")
	}
	return text
}

// deeplink returns the link to the target: asora://post/{id}, asora://comment/{id} or asora://user/{id}. If the target
// is only the user, as for a new follower, the link leads to the actor; without an actor and a target, to the user.
func deeplink(user UserID, s payloadFields) string {
	kind, id := s.TargetType, s.TargetID
	if id == "" || kind == User && id == string(user) {
		kind, id = User, string(user)
		if s.ActorID != "" {
			id = s.ActorID
		}
	}
	return "asora://" + string(kind) + "/" + url.PathEscape(id)
}

// oneLine removes control characters and those that change the text direction, and collapses white space.
func oneLine(text string) string {
	text = strings.Map(func(r rune) rune {
		switch {
		case unicode.IsSpace(r) || unicode.IsControl(r):
			return ' '
		case unicode.Is(unicode.Cf, r) && r != '\u200d' || r == utf8.RuneError: // U+200D joins emoji
			return -1
		}
		return r
	}, text)
	return strings.Join(strings.Fields(text), " ")
}

// clip shortens a text to at most limit characters.
func clip(text string, limit int) string {
	if utf8.RuneCountInString(text) <= limit {
		return text
	}
	return strings.TrimSpace(string([]rune(text)[:limit-1])) + "…"
}
