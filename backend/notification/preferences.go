package notification

import (
	"context"

	"github.com/tabletop-db/tabletop/backend/internal/web"
)

// preferences returns the user's preferences, or the defaults (NT-P9).
func (s *Service) preferences(ctx context.Context, user UserID) (Preferences, error) {
	p, ok, err := s.store.preferencesOf(ctx, user)
	if !ok {
		p = defaultPreferences(user)
	}
	return p, err
}

// savePreferences creates or replaces the preferences; absent fields get their defaults. Invalid preferences are
// refused, and nothing is written (NT-R11).
func (s *Service) savePreferences(ctx context.Context, user UserID, in preferencesRequest) (Preferences, error) {
	p := defaultPreferences(user)
	p.UpdatedAt = s.now()
	if in.Timezone != "" {
		p.Timezone = in.Timezone
	}
	if _, err := p.Timezone.location(); err != nil {
		return p, web.Invalid("body.timezone", err.Error())
	}
	if in.QuietHours != nil {
		if len(in.QuietHours) != len(p.QuietHours) {
			return p, web.Invalid("body.quietHours", "must be 24 booleans, one for each local hour from 0 on")
		}
		p.QuietHours = QuietHours(in.QuietHours)
	}
	if c := in.Categories; c != nil {
		setIfGiven(&p.Categories.Social, c.Social)
		setIfGiven(&p.Categories.News, c.News)
		setIfGiven(&p.Categories.Marketing, c.Marketing)
	}
	return p, s.store.savePreferences(ctx, p)
}

func setIfGiven(flag, value *bool) {
	if value != nil {
		*flag = *value
	}
}
