Feature: Documents are announced, uploaded and confirmed
  The API receives the description of a document; the file is uploaded once to a signed address, and must match the
  description.

  @VR-R1.document @VR-R4.announced @VR-R4.count
  Scenario: A document is announced
    Given "acme" has opened the case "c1"
    When "acme" announces the document "omang_front" of "c1"
    Then it is created
    And the response's "upload.method" is "PUT"
    And the response has no "document.status"

  @VR-R4.confirmed
  Scenario: A file is sent and confirmed
    Given "acme" has opened the case "c1"
    And "acme" announces the document "omang_front" of "c1"
    When "acme" confirms the upload of "omang_front"
    Then it is refused as a conflict
    And the response contains "the file has not been uploaded yet"
    When the file of "omang_front" is sent
    Then the request succeeds
    When 1 minute passes
    And "acme" confirms the upload of "omang_front"
    Then the response's "status" is "uploaded"
    And the response's "uploadedAt" is "{now}"
    When "acme" confirms the upload of "omang_front"
    Then the request succeeds
    And nothing was written except the audit trail

  @VR-R4.processed
  Scenario: A document is processed
    Given the case "c1" of "acme" is processing
    When processing marks "omang_front" as processed
    Then it is refused as a conflict
    And the response contains "the document is uploaded and cannot become processed"
    When processing marks "omang_front" as processing
    Then the response's "status" is "processing"
    When processing marks "omang_front" as processed
    Then the response's "status" is "processed"
    And the response's "processingResults.faceMatch" is "0.98"
    When processing marks "omang_front" as failed
    Then it is refused as a conflict

  @VR-R4.complete
  Scenario: A case is complete when every document is uploaded
    Given "acme" has opened the case "c1"
    And "acme" uploads the document "omang_front" of "c1"
    And "acme" announces the document "selfie" of "c1"
    When "acme" confirms that all documents of "c1" are uploaded
    Then it is refused as a conflict
    And the response contains "{selfie}"
    When the file of "selfie" is sent
    And "acme" confirms the upload of "selfie"
    And "acme" confirms that all documents of "c1" are uploaded
    Then the response's "status" is "documents_complete"

  @VR-R4.address
  Scenario: An upload address is valid for 15 minutes and one file
    Given "acme" has opened the case "c1"
    And "acme" announces the document "omang_front" of "c1"
    And "acme" announces the document "selfie" of "c1"
    When the file of "omang_front" is sent
    And the file of "omang_front" is sent
    Then it is refused as a conflict
    When 15 minutes pass
    And the file of "selfie" is sent
    Then it is forbidden
    When "acme" requests a new upload address for "selfie"
    And the file of "selfie" is sent
    And "acme" confirms the upload of "selfie"
    Then the response's "status" is "uploaded"
    When "acme" requests a new upload address for "selfie"
    Then it is refused as a conflict

  @VR-R4.file
  Scenario: A confirmed file has the announced size, even without an announced SHA-256
    Given the service keeps files in a folder
    And "acme" has opened the case "c1"
    And "acme" announces the document "omang_front" of "c1"
    And the file of "omang_front" is sent
    When the file of "omang_front" becomes longer in the folder
    And "acme" confirms the upload of "omang_front"
    Then it is refused as a conflict
    And the response contains "the file differs from the announced one"

  @VR-R4.cap
  Scenario: A case has 20 documents at most
    Given "acme" has opened the case "c1"
    And "acme" has announced 20 documents of "c1"
    When "acme" announces the document "omang_front" of "c1"
    Then it is refused as a conflict
    And the response contains "the case already has 20 documents"
    And nothing was written except the audit trail
