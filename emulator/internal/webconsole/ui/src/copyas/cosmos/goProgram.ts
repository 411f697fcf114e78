import { quote } from '../quote'
import type { Account } from './query'

/** cosmosGoProgram is a program for the Azure SDK for Go: it connects, without checking the certificate, and runs `body`. */
export function cosmosGoProgram({ endpoint, key }: Account, body: string): string {
  return `package main

import (
	"context"
	"crypto/tls"
	"fmt"
	"log"
	"net/http"

	"github.com/Azure/azure-sdk-for-go/sdk/azcore/policy"
	"github.com/Azure/azure-sdk-for-go/sdk/data/azcosmos"
)

func main() {
	cred, err := azcosmos.NewKeyCredential(${quote(key)})
	if err != nil {
		log.Fatal(err)
	}
	transport := &http.Client{Transport: &http.Transport{TLSClientConfig: &tls.Config{InsecureSkipVerify: true}}}
	client, err := azcosmos.NewClientWithKey(${quote(endpoint)}, cred,
		&azcosmos.ClientOptions{ClientOptions: policy.ClientOptions{Transport: transport}})
	if err != nil {
		log.Fatal(err)
	}
${body}}
`
}
