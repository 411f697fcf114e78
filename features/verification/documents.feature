Feature: Documents are announced, sent and confirmed
  The API takes what is known of a document; its file goes to a signed address, once, and is what was announced.

  @VR-R1 @VR-R4
  Scenario: A document is announced
    Given "acme" has opened the case "c1"
    When "acme" announces the document "omang_front" of "c1"
    Then the answer is 201
    And "{omang-front}" is doc_ and a UUID of version 4
    And the answer's "upload.method" is "PUT"
    And the answer has no "document.status"
    And the item of "AuthBridgeTable" where "PK = 'CASE#{c1}' AND SK = 'DOC#{omang-front}'" has:
      | documentId     | '{omang-front}'         |
      | verificationId | '{c1}'                  |
      | documentType   | 'omang_front'           |
      | mimeType       | 'image/jpeg'            |
      | fileSize       | 16                      |
      | s3Bucket       | 'local'                 |
      | s3Key          | '{file of omang-front}' |
    And the item of "AuthBridgeTable" where "PK = 'CASE#{c1}' AND SK = 'META'" has:
      | status | 'documents_uploading'                 |
      | GSI1SK | 'documents_uploading#{opening of c1}' |

  @VR-P2
  Scenario: The documents of a case
    Given "acme" has opened the case "c1"
    And "acme" uploads the document "omang_front" of "c1"
    And "acme" announces the document "selfie" of "c1"
    When "acme" lists the documents of "c1"
    Then the answer is 200
    And the answer says "{omang-front}"
    And the answer says "{selfie}"
    And the store was asked for a Query of "AuthBridgeTable" where "PK = 'CASE#{c1}' AND begins_with(SK, 'DOC#')", consistent

  @VR-R4
  Scenario: A file is sent and confirmed
    Given "acme" has opened the case "c1"
    And "acme" announces the document "omang_front" of "c1"
    When "acme" says that "omang_front" is there
    Then the answer is 409
    And the answer says "the file is not there yet"
    When the file of "omang_front" is sent
    Then the answer is 204
    When 1 minute passes
    And "acme" says that "omang_front" is there
    Then the answer's "status" is "uploaded"
    And the answer's "uploadedAt" is "{now}"
    When "acme" says that "omang_front" is there
    Then the answer is 200
    And nothing was written but the audit trail

  @VR-R4
  Scenario: A document is processed
    Given the case "c1" of "acme" is processing
    When processing makes "omang_front" processed
    Then the answer is 409
    And the answer says "the document is uploaded, which cannot become processed"
    When processing makes "omang_front" processing
    Then the answer's "status" is "processing"
    When processing makes "omang_front" processed
    Then the answer's "status" is "processed"
    And the answer's "processingResults.faceMatch" is "0.98"
    When processing makes "omang_front" failed
    Then the answer is 409

  @VR-R4
  Scenario: A case is complete when every document is there
    Given "acme" has opened the case "c1"
    And "acme" uploads the document "omang_front" of "c1"
    And "acme" announces the document "selfie" of "c1"
    When "acme" says that all documents of "c1" are there
    Then the answer is 409
    And the answer says "{selfie}"
    When the file of "selfie" is sent
    And "acme" says that "selfie" is there
    And "acme" says that all documents of "c1" are there
    Then the answer's "status" is "documents_complete"

  @VR-R4
  Scenario: Documents that come at once are all counted
    Given "acme" has opened the case "c1"
    When "acme" announces 3 documents of "c1" at once
    Then all answers are 201
    And the item of "AuthBridgeTable" where "PK = 'CASE#{c1}' AND SK = 'META'" has:
      | documentCount | 3 |

  @VR-R4
  Scenario Outline: A file that is not the announced one is refused: <how>
    Given the service keeps files in a folder
    And "acme" has opened the case "c1"
    And "acme" announces the document "omang_front" of "c1"
    When the file of "omang_front" is sent with <how>
    Then the answer is <status>
    And the folder holds no files
    And the store was asked for nothing

    Examples:
      | how                         | status |
      | another content of its size | 415    |
      | a byte more                 | 422    |
      | a byte less                 | 422    |
      | another type                | 415    |
      | a changed size              | 403    |
      | a later expiry              | 403    |
      | a changed type              | 403    |
      | another signature           | 403    |
      | a way out of the folder     | 403    |
      | another document's address  | 403    |

  @VR-R4
  Scenario: An address is good for a quarter of an hour and for one file
    Given "acme" has opened the case "c1"
    And "acme" announces the document "omang_front" of "c1"
    And "acme" announces the document "selfie" of "c1"
    When the file of "omang_front" is sent
    And the file of "omang_front" is sent
    Then the answer is 409
    When 15 minutes pass
    And the file of "selfie" is sent
    Then the answer is 403
    When "acme" asks for another address for "selfie"
    And the file of "selfie" is sent
    And "acme" says that "selfie" is there
    Then the answer's "status" is "uploaded"
    When "acme" asks for another address for "selfie"
    Then the answer is 409
