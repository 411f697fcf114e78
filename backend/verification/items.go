package verification

import (
	"strconv"

	"github.com/tabletop-db/tabletop/backend/internal/ddb"
)

func caseItem(c record) ddb.Item {
	item := primary(caseKey(c.VerificationID), meta)
	for name, value := range map[string]string{
		"verificationId": string(c.VerificationID), "clientId": string(c.ClientID), "status": string(c.Status),
		"documentType": string(c.DocumentType), "createdAt": string(c.CreatedAt), "updatedAt": string(c.UpdatedAt),
		"expiresAt": string(c.ExpiresAt), "GSI1PK": clientKey(c.ClientID), "GSI1SK": c.statusSort(),
		"GSI2PK": dateKey(c.day()), "GSI2SK": c.dateSort(),
	} {
		item[name] = ddb.Str(value)
	}
	customer := ddb.Item{}
	for name, value := range map[string]string{
		"email": c.email, "phone": c.phone, "externalId": string(c.CustomerMetadata.ExternalID),
		"redirectUrl": string(c.CustomerMetadata.RedirectURL),
	} {
		if value != "" {
			customer[name] = ddb.Str(value)
		}
	}
	item["customerMetadata"], item["ttl"], item["documentCount"] = ddb.Object(customer), ddb.Number(c.ttl()), ddb.Number(c.documents)
	return item
}

func caseOf(in ddb.Item) record {
	customer := ddb.Members(in["customerMetadata"])
	return record{
		Case: Case{
			VerificationID: CaseID(ddb.Text(in["verificationId"])), ClientID: ClientID(ddb.Text(in["clientId"])),
			Status: Status(ddb.Text(in["status"])), DocumentType: DocumentType(ddb.Text(in["documentType"])),
			CustomerMetadata: CustomerMetadata{
				ExternalID: ExternalID(ddb.Text(customer["externalId"])), RedirectURL: RedirectURL(ddb.Text(customer["redirectUrl"])),
			},
			CreatedAt: Timestamp(ddb.Text(in["createdAt"])), UpdatedAt: Timestamp(ddb.Text(in["updatedAt"])),
			SubmittedAt: Timestamp(ddb.Text(in["submittedAt"])), CompletedAt: Timestamp(ddb.Text(in["completedAt"])),
			ExpiresAt: Timestamp(ddb.Text(in["expiresAt"])),
		},
		email: ddb.Text(customer["email"]), phone: ddb.Text(customer["phone"]), documents: ddb.Integer(in["documentCount"]),
	}
}

func documentItem(d Document, ttl int64) ddb.Item {
	item := primary(caseKey(d.VerificationID), documentKey(d.DocumentID))
	for name, value := range map[string]string{
		"documentId": string(d.DocumentID), "verificationId": string(d.VerificationID), "documentType": string(d.DocumentType),
		"mimeType": string(d.MimeType), "s3Bucket": d.S3Bucket, "s3Key": d.S3Key, "sha256": d.SHA256,
	} {
		if value != "" {
			item[name] = ddb.Str(value)
		}
	}
	item["fileSize"], item["ttl"] = ddb.Number(d.FileSize), ddb.Number(ttl)
	return item
}

func documentOf(in ddb.Item) Document {
	d := Document{
		DocumentID: DocumentID(ddb.Text(in["documentId"])), VerificationID: CaseID(ddb.Text(in["verificationId"])),
		DocumentType: DocumentSide(ddb.Text(in["documentType"])), FileSize: ddb.Integer(in["fileSize"]),
		MimeType: MimeType(ddb.Text(in["mimeType"])), SHA256: ddb.Text(in["sha256"]), S3Bucket: ddb.Text(in["s3Bucket"]),
		S3Key: ddb.Text(in["s3Key"]), Status: DocumentStatus(ddb.Text(in["status"])), UploadedAt: Timestamp(ddb.Text(in["uploadedAt"])),
	}
	for name, value := range ddb.Members(in["processingResults"]) {
		score, err := strconv.ParseFloat(ddb.Text(value), 64)
		if err != nil {
			continue // not written by this service
		}
		if d.ProcessingResults == nil {
			d.ProcessingResults = map[string]float64{}
		}
		d.ProcessingResults[name] = score
	}
	return d
}

func resultsItem(results map[string]float64) ddb.Item {
	item := ddb.Item{}
	for name, score := range results {
		item[name] = ddb.Decimal(strconv.FormatFloat(score, 'f', -1, 64))
	}
	return item
}

func entryItem(e AuditEntry) ddb.Item {
	item := primary(auditKey(e.day()), e.sortKey())
	for name, value := range map[string]string{
		"eventId": e.EventID, "at": e.At, "userId": e.UserID, "role": string(e.Role), "action": e.Action, "outcome": e.Outcome,
		"verificationId": string(e.VerificationID), "documentId": string(e.DocumentID), "reference": e.Reference,
		"from": string(e.From), "to": string(e.To), "reason": e.Reason,
		"GSI3PK": userKey(e.UserID), "GSI3SK": e.sortKey(),
	} {
		if value != "" {
			item[name] = ddb.Str(value)
		}
	}
	item["ttl"] = ddb.Number(e.ttl)
	return item
}

func entryOf(in ddb.Item) AuditEntry {
	return AuditEntry{
		EventID: ddb.Text(in["eventId"]), At: ddb.Text(in["at"]), UserID: ddb.Text(in["userId"]), Role: Role(ddb.Text(in["role"])),
		Action: ddb.Text(in["action"]), Outcome: ddb.Text(in["outcome"]), VerificationID: CaseID(ddb.Text(in["verificationId"])),
		DocumentID: DocumentID(ddb.Text(in["documentId"])), Reference: ddb.Text(in["reference"]),
		From: Status(ddb.Text(in["from"])), To: Status(ddb.Text(in["to"])), Reason: ddb.Text(in["reason"]),
		ttl: ddb.Integer(in["ttl"]),
	}
}

func keyOf(in ddb.Item) keyRecord {
	return keyRecord{
		APIKey: APIKey{
			KeyID: ddb.Text(in["keyId"]), ClientID: ClientID(ddb.Text(in["clientId"])), Description: ddb.Text(in["description"]),
			CreatedAt: Timestamp(ddb.Text(in["createdAt"])), IsActive: ddb.Boolean(in["isActive"]),
		},
		hash: ddb.Text(in["hash"]),
	}
}

func sessionOf(in ddb.Item) session {
	return session{
		id: ddb.Text(in["sessionId"]), keyID: ddb.Text(in["keyId"]), hash: ddb.Text(in["hash"]), client: ClientID(ddb.Text(in["clientId"])),
		created: Timestamp(ddb.Text(in["createdAt"])), ends: Timestamp(ddb.Text(in["expiresAt"])), active: ddb.Boolean(in["isActive"]),
	}
}
