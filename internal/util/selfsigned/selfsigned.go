// Package selfsigned creates self-signed certificates for servers on this machine, for its own names. Clients must be
// configured to trust them.
package selfsigned

import (
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/pem"
	"errors"
	"fmt"
	"io/fs"
	"math/big"
	"net"
	"os"
	"path/filepath"
	"time"
)

// Validity is the validity period of a certificate: the longest that all systems accept.
const Validity = 825 * 24 * time.Hour

// Names returns the names of every certificate: those of this machine for its own programs, and for containers on it.
func Names() []string {
	return []string{"localhost", "127.0.0.1", "::1", "host.docker.internal", "tabletop"}
}

// PEM is a certificate and its private key in PEM form.
type PEM struct{ Certificate, Key []byte }

// New creates a certificate that is valid from an hour before now, for Names and further names or addresses.
func New(now time.Time, more ...string) (PEM, error) {
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		return PEM{}, err
	}
	serial, err := rand.Int(rand.Reader, new(big.Int).Lsh(big.NewInt(1), 127))
	if err != nil {
		return PEM{}, err
	}
	template := &x509.Certificate{
		SerialNumber: serial, Subject: pkix.Name{CommonName: "localhost", Organization: []string{"Tabletop"}},
		NotBefore: now.Add(-time.Hour), NotAfter: now.Add(Validity),
		KeyUsage: x509.KeyUsageDigitalSignature, ExtKeyUsage: []x509.ExtKeyUsage{x509.ExtKeyUsageServerAuth},
		BasicConstraintsValid: true,
	}
	for _, name := range append(Names(), more...) {
		if ip := net.ParseIP(name); ip != nil {
			template.IPAddresses = append(template.IPAddresses, ip)
		} else {
			template.DNSNames = append(template.DNSNames, name)
		}
	}
	der, err := x509.CreateCertificate(rand.Reader, template, template, key.Public(), key)
	if err != nil {
		return PEM{}, err
	}
	secret, err := x509.MarshalPKCS8PrivateKey(key)
	if err != nil {
		return PEM{}, err
	}
	return PEM{
		Certificate: pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: der}),
		Key:         pem.EncodeToMemory(&pem.Block{Type: "PRIVATE KEY", Bytes: secret}),
	}, nil
}

// TLSCertificate returns the certificate for a TLS server.
func (p PEM) TLSCertificate() (tls.Certificate, error) { return tls.X509KeyPair(p.Certificate, p.Key) }

// Pool returns a pool for clients that trust only this certificate.
func (p PEM) Pool() *x509.CertPool {
	pool := x509.NewCertPool()
	pool.AppendCertsFromPEM(p.Certificate)
	return pool
}

// LoadOrCreate returns the certificate and key in a file, so that clients have to trust it only once. If there is none,
// or it is no longer valid, LoadOrCreate creates it, with its folder, readable only by the owner. Errors are one line.
func LoadOrCreate(file string, now time.Time) (PEM, error) {
	text, err := os.ReadFile(file)
	switch {
	case err == nil:
		if p, ok := read(text, now); ok {
			return p, nil
		}
	case !errors.Is(err, fs.ErrNotExist):
		return PEM{}, fmt.Errorf("cannot read the certificate: %w", err)
	}
	p, err := New(now)
	if err != nil {
		return PEM{}, err
	}
	if err := write(file, append(append([]byte(nil), p.Certificate...), p.Key...)); err != nil {
		return PEM{}, fmt.Errorf("cannot store the certificate: %w", err)
	}
	return p, nil
}

// write writes the file atomically: a concurrent reader sees the old content or the new.
func write(file string, text []byte) error {
	folder := filepath.Dir(file)
	if err := os.MkdirAll(folder, 0o700); err != nil {
		return err
	}
	temp, err := os.CreateTemp(folder, ".certificate-*")
	if err != nil {
		return err
	}
	_, err = temp.Write(text)
	if err = errors.Join(err, temp.Close()); err == nil {
		err = os.Rename(temp.Name(), file)
	}
	if err != nil {
		return errors.Join(err, os.Remove(temp.Name()))
	}
	return nil
}

// read parses a certificate and key from one text; ok is false if they do not match or are no longer valid.
func read(text []byte, now time.Time) (p PEM, ok bool) {
	for block, rest := pem.Decode(text); block != nil; block, rest = pem.Decode(rest) {
		switch block.Type {
		case "CERTIFICATE":
			p.Certificate = pem.EncodeToMemory(block)
		case "PRIVATE KEY":
			p.Key = pem.EncodeToMemory(block)
		}
	}
	pair, err := p.TLSCertificate()
	if err != nil {
		return PEM{}, false
	}
	return p, now.After(pair.Leaf.NotBefore) && now.Before(pair.Leaf.NotAfter)
}
