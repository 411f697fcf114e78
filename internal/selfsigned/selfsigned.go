// Package selfsigned makes the certificate of a server on a desk: one that vouches for itself, for the machine's own
// names, and is to be trusted by whoever is told to.
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

// Life is how long a certificate is good for: the longest that all systems take.
const Life = 825 * 24 * time.Hour

// Names are what a certificate is for without further names: the machine as its own programs call it, and as containers
// on it do.
func Names() []string {
	return []string{"localhost", "127.0.0.1", "::1", "host.docker.internal", "tabletop"}
}

// PEM are a certificate and its private key.
type PEM struct{ Certificate, Key []byte }

// New makes a certificate that is good from an hour before now on, for Names and further names or addresses.
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
		NotBefore: now.Add(-time.Hour), NotAfter: now.Add(Life),
		KeyUsage: x509.KeyUsageDigitalSignature, ExtKeyUsage: []x509.ExtKeyUsage{x509.ExtKeyUsageServerAuth}, BasicConstraintsValid: true,
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

// Pair is the certificate as a server of TLS takes it.
func (p PEM) Pair() (tls.Certificate, error) { return tls.X509KeyPair(p.Certificate, p.Key) }

// Pool is what a client trusts that trusts this certificate alone.
func (p PEM) Pool() *x509.CertPool {
	pool := x509.NewCertPool()
	pool.AppendCertsFromPEM(p.Certificate)
	return pool
}

// Keep is the certificate in a file, certificate and key, so that it stays the same and has to be trusted once. It is
// made, with its folder, where there is none, or none that is still good; for others than its owner the file is closed.
// What is in the way is an error of one line.
func Keep(file string, now time.Time) (PEM, error) {
	text, err := os.ReadFile(file)
	switch {
	case err == nil:
		if p, ok := read(text, now); ok {
			return p, nil
		}
	case !errors.Is(err, fs.ErrNotExist):
		return PEM{}, fmt.Errorf("the certificate cannot be read: %w", err)
	}
	p, err := New(now)
	if err != nil {
		return PEM{}, err
	}
	if err := write(file, append(append([]byte(nil), p.Certificate...), p.Key...)); err != nil {
		return PEM{}, fmt.Errorf("the certificate cannot be kept: %w", err)
	}
	return p, nil
}

// write writes the file as a whole: who reads it meanwhile sees the old one or the new.
func write(file string, text []byte) error {
	folder := filepath.Dir(file)
	if err := os.MkdirAll(folder, 0o700); err != nil {
		return err
	}
	draft, err := os.CreateTemp(folder, ".certificate-*")
	if err != nil {
		return err
	}
	_, err = draft.Write(text)
	if err = errors.Join(err, draft.Close()); err == nil {
		err = os.Rename(draft.Name(), file)
	}
	if err != nil {
		return errors.Join(err, os.Remove(draft.Name()))
	}
	return nil
}

// read takes a certificate and key from one text; ok is false where they do not belong together or are no longer good.
func read(text []byte, now time.Time) (p PEM, ok bool) {
	for block, rest := pem.Decode(text); block != nil; block, rest = pem.Decode(rest) {
		switch block.Type {
		case "CERTIFICATE":
			p.Certificate = pem.EncodeToMemory(block)
		case "PRIVATE KEY":
			p.Key = pem.EncodeToMemory(block)
		}
	}
	pair, err := p.Pair()
	if err != nil {
		return PEM{}, false
	}
	return p, now.After(pair.Leaf.NotBefore) && now.Before(pair.Leaf.NotAfter)
}
