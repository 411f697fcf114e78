package emulatorcmd

import (
	"log/slog"

	"github.com/prometheus/client_golang/prometheus/collectors"
	"github.com/spf13/pflag"

	"github.com/tabletop-db/tabletop/emulator"
	"github.com/tabletop-db/tabletop/internal/app/cli/command"
	"github.com/tabletop-db/tabletop/internal/otlp"
	"github.com/tabletop-db/tabletop/internal/util/version"
)

// bindMetrics adds the flag of the emulator alone.
func (f *Flags) bindMetrics(flags *pflag.FlagSet) {
	flags.StringVar(&f.OTLPEndpoint, "otlp-endpoint", "", "URL of the OTLP/HTTP collector to send metrics to, such as "+
		"http://127.0.0.1:4318. Also set by OTEL_EXPORTER_OTLP_ENDPOINT. /metrics is always served.")
}

// metricsConfig returns where to send metrics, or nil if nowhere.
func (f *Flags) metricsConfig(log *slog.Logger) (*otlp.Config, error) {
	config, err := otlp.FromEnvironment(otlp.Defaults{Endpoint: f.OTLPEndpoint, Service: "tabletop-emulator",
		Version: version.Current(), Logger: log})
	if err != nil {
		return nil, command.Usagef("--otlp-endpoint %v", err)
	}
	return config, nil
}

// startExport sends the emulator's metrics, those that /metrics has, if there is a configuration.
func (f *Flags) startExport(e *emulator.Emulator, config *otlp.Config) (err error) {
	if config == nil {
		return nil
	}
	all := append(e.Collectors(), collectors.NewGoCollector(),
		collectors.NewProcessCollector(collectors.ProcessCollectorOpts{}))
	f.exporter, err = otlp.Start(*config, all...)
	return err
}
