package backend

import (
	"crypto/tls"
	"fmt"
	"net"
	"net/http"
)

// ServerTLS returns a Config.TLS with the certificate and key of two PEM files.
func ServerTLS(certFile, keyFile string) (*tls.Config, error) {
	certificate, err := tls.LoadX509KeyPair(certFile, keyFile)
	if err != nil {
		return nil, fmt.Errorf("cannot load the certificate and its key: %w; use two matching PEM files", err)
	}
	return &tls.Config{Certificates: []tls.Certificate{certificate}}, nil
}

// listen serves on the listener, with TLS 1.2 or newer if cfg is given.
func listen(server *http.Server, listener net.Listener, cfg *tls.Config) error {
	if cfg == nil {
		return server.Serve(listener)
	}
	server.TLSConfig = atLeastTLS12(cfg)
	return server.ServeTLS(listener, "", "")
}

func atLeastTLS12(cfg *tls.Config) *tls.Config {
	if cfg == nil {
		cfg = &tls.Config{}
	}
	cfg = cfg.Clone()
	cfg.MinVersion = max(cfg.MinVersion, tls.VersionTLS12)
	return cfg
}
