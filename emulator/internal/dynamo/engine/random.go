package engine

import "github.com/tabletop-db/tabletop/emulator/internal/awsapi"

// NextUUID returns a random UUID, version 4.
func (s *Engine) NextUUID() string {
	hi, lo := s.Random.Next(), s.Random.Next()
	return awsapi.UUID(hi, lo)
}
