package service

import (
	"strings"

	"github.com/cucumber/godog"

	"github.com/tabletop-db/tabletop/emulator"
)

func (w *world) starting(sc *godog.ScenarioContext) {
	sc.Step(`^an emulator$`, func() error { return w.start() })
	sc.Step(`^an emulator like the cloud$`, func() error { return w.start(emulator.WithLikeCloud()) })
	sc.Step(`^an emulator like the cloud in ([a-z, ]+)$`, w.startLikeCloud)
}

// startLikeCloud starts an emulator with pieces of the cloud's temperament, such as "throttling, lag".
func (w *world) startLikeCloud(pieces string) error {
	var all []emulator.Piece
	for name := range strings.SplitSeq(pieces, ",") {
		all = append(all, emulator.Piece(strings.TrimSpace(name)))
	}
	return w.start(emulator.WithLikeCloud(all...))
}
