package selfsigned

import (
	"bytes"
	"crypto/x509"
	"os"
	"path/filepath"
	"testing"
	"time"
)

func TestCertificateNames(t *testing.T) {
	t.Parallel()
	p, err := New(time.Now(), "desk.example", "10.0.0.7")
	if err != nil {
		t.Fatal(err)
	}
	pair, err := p.TLSCertificate()
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"localhost", "127.0.0.1", "::1", "desk.example", "10.0.0.7"} {
		if _, err := pair.Leaf.Verify(x509.VerifyOptions{DNSName: name, Roots: p.Pool()}); err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
	if _, err := pair.Leaf.Verify(x509.VerifyOptions{DNSName: "elsewhere.example", Roots: p.Pool()}); err == nil {
		t.Error("it is valid for any name")
	}
}

func TestCertificateIsReusedWhileValid(t *testing.T) {
	t.Parallel()
	file, now := filepath.Join(t.TempDir(), "folder", "cosmos.pem"), time.Now()
	first, err := LoadOrCreate(file, now)
	if err != nil {
		t.Fatal(err)
	}
	if info, err := os.Stat(file); err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("others may read the key: %v, %v", info.Mode(), err)
	}
	again, err := LoadOrCreate(file, now.Add(24*time.Hour))
	if err != nil || !bytes.Equal(first.Certificate, again.Certificate) {
		t.Errorf("it changed: %v", err)
	}
	later, err := LoadOrCreate(file, now.Add(Validity))
	if err != nil || bytes.Equal(first.Certificate, later.Certificate) {
		t.Errorf("an expired certificate is returned: %v", err)
	}
	if err := os.WriteFile(file, []byte("no certificate"), 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := LoadOrCreate(file, now); err != nil {
		t.Errorf("a damaged file is not replaced: %v", err)
	}
}
