package devicetoken

import "context"

// diagnosis is the runbook's answer to "notification not received" (PE-O8). It contains no token, because no reader
// needs one.
type diagnosis struct {
	UserID  UserID            `json:"userId"`
	Devices []diagnosedDevice `json:"devices" nullable:"false"`
}

type diagnosedDevice struct {
	DeviceID     DeviceID  `json:"deviceId"`
	Platform     Platform  `json:"platform"`
	Receives     bool      `json:"receives" doc:"Whether a push sent now would reach it"`
	Reasons      []string  `json:"reasons" nullable:"false" enum:"inactive,expired,no_expiry,malformed_token" doc:"Why not; empty when it does"`
	IsActive     bool      `json:"isActive"`
	ExpiresAt    int64     `json:"expiresAt" doc:"Epoch seconds; 0 when the item has none" example:"1777890600"`
	RegisteredAt Timestamp `json:"registeredAt"`
	UpdatedAt    Timestamp `json:"updatedAt"`
}

// diagnose describes every device of a user, in any state.
func (s *Service) diagnose(ctx context.Context, u UserID) (diagnosis, error) {
	out := diagnosis{UserID: u, Devices: []diagnosedDevice{}}
	devices, err := s.store.all(ctx, u)
	for _, d := range devices {
		reasons := d.undeliverableReasons(s.cfg.Now())
		out.Devices = append(out.Devices, diagnosedDevice{
			DeviceID: d.DeviceID, Platform: d.Platform, Receives: len(reasons) == 0, Reasons: reasons,
			IsActive: d.IsActive, ExpiresAt: d.ExpiresAt, RegisteredAt: d.RegisteredAt, UpdatedAt: d.UpdatedAt,
		})
	}
	return out, err
}
