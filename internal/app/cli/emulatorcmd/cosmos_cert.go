package emulatorcmd

import (
	"context"
	"crypto/tls"
	"encoding/pem"
	"errors"
	"net"
	"net/url"
	"time"

	"github.com/tabletop-db/tabletop/internal/app/cli/command"
)

// certificateOf returns the certificate of the emulator at an address, or the user's certificate if the address is
// empty.
func certificateOf(ctx context.Context, address string) ([]byte, error) {
	if address == "" {
		stored, err := UserCertificate()
		if err != nil {
			return nil, command.Usagef("%v: correct this, or get the certificate of a running emulator with --endpoint https://%s",
				err, defaultCosmosAddr)
		}
		return stored.Certificate, nil
	}
	u, err := url.Parse(address)
	if err != nil || u.Scheme != "https" || u.Host == "" {
		return nil, command.Usagef("--endpoint %q is not an HTTPS URL: use one such as https://127.0.0.1:8081", address)
	}
	host := u.Host
	if u.Port() == "" {
		host = net.JoinHostPort(u.Hostname(), "443")
	}
	ctx, cancel := context.WithTimeout(ctx, 10*time.Second)
	defer cancel()
	// The certificate is what is being fetched, so there is nothing to verify it against yet.
	dialer := tls.Dialer{Config: &tls.Config{InsecureSkipVerify: true}}
	conn, err := dialer.DialContext(ctx, "tcp", host)
	if err != nil {
		return nil, command.Usagef("--endpoint: cannot connect to an emulator over HTTPS at %s: start one with tabletop emulator",
			host)
	}
	defer func() { _ = conn.Close() }()
	secure, ok := conn.(*tls.Conn)
	if !ok || len(secure.ConnectionState().PeerCertificates) == 0 {
		return nil, errors.New("the server sent no certificate")
	}
	return pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: secure.ConnectionState().PeerCertificates[0].Raw}),
		nil
}
