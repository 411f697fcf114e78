package notification

import "slices"

// Categories of events and notifications.
const (
	Social    Category = "SOCIAL"
	Safety    Category = "SAFETY"
	Security  Category = "SECURITY"
	News      Category = "NEWS"
	Marketing Category = "MARKETING"
)

// Types of events.
const (
	PostLike                EventType = "POST_LIKE"
	PostComment             EventType = "POST_COMMENT"
	PostShare               EventType = "POST_SHARE"
	CommentReply            EventType = "COMMENT_REPLY"
	FollowerNew             EventType = "FOLLOWER_NEW"
	SafetyContentFlagged    EventType = "SAFETY_CONTENT_FLAGGED"
	SafetyAccountWarning    EventType = "SAFETY_ACCOUNT_WARNING"
	SecurityNewDevice       EventType = "SECURITY_NEW_DEVICE"
	SecurityPasswordChanged EventType = "SECURITY_PASSWORD_CHANGED"
	SecurityAccountLocked   EventType = "SECURITY_ACCOUNT_LOCKED"
	NewsSystemUpdate        EventType = "NEWS_SYSTEM_UPDATE"
	MarketingPromotion      EventType = "MARKETING_PROMOTION"
)

// eventKinds are the twelve types in the document's order, with their categories (NT-R5) and texts.
var eventKinds = []eventKind{
	{PostLike, Social, "New like", "{actor} liked your {target}", "{snippet}"},
	{PostComment, Social, "New comment", "{actor} commented on your {target}", "{snippet}"},
	{PostShare, Social, "New share", "{actor} shared your {target}", "{snippet}"},
	{CommentReply, Social, "New reply", "{actor} replied to your comment", "{snippet}"},
	{FollowerNew, Social, "New follower", "{actor} started following you", ""},
	{SafetyContentFlagged, Safety, "Content flagged", "Your {target} was flagged and is under review", "{snippet}"},
	{SafetyAccountWarning, Safety, "Account warning", "Your account received a warning", "{snippet}"},
	{SecurityNewDevice, Security, "New sign-in", "Your account was used on a new device", "{snippet}"},
	{SecurityPasswordChanged, Security, "Password changed", "Your password was changed", "{snippet}"},
	{SecurityAccountLocked, Security, "Account locked", "Your account was locked", "{snippet}"},
	{NewsSystemUpdate, News, "What is new", "There is news about the app", "{snippet}"},
	{MarketingPromotion, Marketing, "For you", "There is something new for you", "{snippet}"},
}

// eventKind is an event type. The body of its notification is textTemplate, followed by snippetTemplate if the payload
// has a snippet.
type eventKind struct {
	eventType       EventType
	category        Category
	title           string
	textTemplate    string
	snippetTemplate string
}

func eventKindOf(t EventType) (eventKind, bool) {
	i := slices.IndexFunc(eventKinds, func(k eventKind) bool { return k.eventType == t })
	if i < 0 {
		return eventKind{}, false
	}
	return eventKinds[i], true
}

// CategoryOf returns the category of an event type; false for an unknown one.
func CategoryOf(t EventType) (Category, bool) {
	k, known := eventKindOf(t)
	return k.category, known
}

// EventTypes returns the twelve types in the document's order.
func EventTypes() []EventType {
	types := make([]EventType, len(eventKinds))
	for i, k := range eventKinds {
		types[i] = k.eventType
	}
	return types
}

// AllCategories returns the five categories in the document's order.
func AllCategories() []Category { return []Category{Social, Safety, Security, News, Marketing} }

// isMandatory reports whether a category ignores switches and quiet hours (NT-R7).
func (c Category) isMandatory() bool { return c == Safety || c == Security }
