Feature: Documents are announced, sent and confirmed
  The API takes what is known of a document; its file goes to a signed address, once, and is what was announced.

  @VR-R1.document @VR-R4.announced @VR-R4.count
  Scenario: A document is announced
    Given "acme" has opened the case "c1"
    When "acme" announces the document "omang_front" of "c1"
    Then it is created
    And the answer's "upload.method" is "PUT"
    And the answer has no "document.status"

  @VR-R4.confirmed
  Scenario: A file is sent and confirmed
    Given "acme" has opened the case "c1"
    And "acme" announces the document "omang_front" of "c1"
    When "acme" says that "omang_front" is there
    Then it is refused as a conflict
    And the answer says "the file is not there yet"
    When the file of "omang_front" is sent
    Then the request succeeds
    When 1 minute passes
    And "acme" says that "omang_front" is there
    Then the answer's "status" is "uploaded"
    And the answer's "uploadedAt" is "{now}"
    When "acme" says that "omang_front" is there
    Then the request succeeds
    And nothing was written but the audit trail

  @VR-R4.processed
  Scenario: A document is processed
    Given the case "c1" of "acme" is processing
    When processing makes "omang_front" processed
    Then it is refused as a conflict
    And the answer says "the document is uploaded, which cannot become processed"
    When processing makes "omang_front" processing
    Then the answer's "status" is "processing"
    When processing makes "omang_front" processed
    Then the answer's "status" is "processed"
    And the answer's "processingResults.faceMatch" is "0.98"
    When processing makes "omang_front" failed
    Then it is refused as a conflict

  @VR-R4.complete
  Scenario: A case is complete when every document is there
    Given "acme" has opened the case "c1"
    And "acme" uploads the document "omang_front" of "c1"
    And "acme" announces the document "selfie" of "c1"
    When "acme" says that all documents of "c1" are there
    Then it is refused as a conflict
    And the answer says "{selfie}"
    When the file of "selfie" is sent
    And "acme" says that "selfie" is there
    And "acme" says that all documents of "c1" are there
    Then the answer's "status" is "documents_complete"

  @VR-R4.address
  Scenario: An address is good for a quarter of an hour and for one file
    Given "acme" has opened the case "c1"
    And "acme" announces the document "omang_front" of "c1"
    And "acme" announces the document "selfie" of "c1"
    When the file of "omang_front" is sent
    And the file of "omang_front" is sent
    Then it is refused as a conflict
    When 15 minutes pass
    And the file of "selfie" is sent
    Then it is forbidden
    When "acme" asks for another address for "selfie"
    And the file of "selfie" is sent
    And "acme" says that "selfie" is there
    Then the answer's "status" is "uploaded"
    When "acme" asks for another address for "selfie"
    Then it is refused as a conflict

  @VR-R4.file
  Scenario: What is confirmed has the size that was announced, whether or not a SHA-256 was
    Given the service keeps files in a folder
    And "acme" has opened the case "c1"
    And "acme" announces the document "omang_front" of "c1"
    And the file of "omang_front" is sent
    When the file of "omang_front" becomes longer in the folder
    And "acme" says that "omang_front" is there
    Then it is refused as a conflict
    And the answer says "the file is not the one that was announced"

  @VR-R4.cap
  Scenario: A case has 20 documents at most
    Given "acme" has opened the case "c1"
    And "acme" has announced 20 documents of "c1"
    When "acme" announces the document "omang_front" of "c1"
    Then it is refused as a conflict
    And the answer says "the case has 20 documents"
    And nothing was written but the audit trail
