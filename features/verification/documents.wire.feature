Feature: Documents are announced, uploaded and confirmed, on the wire
  The requests that the service sends to its store, the items that the store then holds, and the HTTP responses.

  @VR-R1.document @VR-R4.announced @VR-R4.count
  Scenario: A document is announced, on the wire
    Given "acme" has opened the case "c1"
    When "acme" announces the document "omang_front" of "c1"
    Then "{omang-front}" is doc_ and a UUID of version 4
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
  Scenario: The documents of a case are listed
    Given "acme" has opened the case "c1"
    And "acme" uploads the document "omang_front" of "c1"
    And "acme" announces the document "selfie" of "c1"
    When "acme" lists the documents of "c1"
    Then the response is 200
    And the response contains "{omang-front}"
    And the response contains "{selfie}"
    And the store received a Query of "AuthBridgeTable" where "PK = 'CASE#{c1}' AND begins_with(SK, 'DOC#')", consistent

  @VR-R4.count
  Scenario: Documents that are announced at the same time are all counted
    Given "acme" has opened the case "c1"
    When "acme" announces 3 documents of "c1" at once
    Then all responses are 201
    And the item of "AuthBridgeTable" where "PK = 'CASE#{c1}' AND SK = 'META'" has:
      | documentCount | 3 |

  @VR-R4.file @VR-R4.address
  Scenario Outline: A file that differs from the announced one is refused: <how>
    Given the service keeps files in a folder
    And "acme" has opened the case "c1"
    And "acme" announces the document "omang_front" of "c1"
    When the file of "omang_front" is sent with <how>
    Then the response is <status>
    And the folder holds no files
    And the store received no request

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

  @VR-R4.file @VR-R4.address
  Scenario Outline: A file must have the announced SHA-256: <how>
    Given the service keeps files in a folder
    And "acme" has opened the case "c1"
    And "acme" announces the document "omang_front" of "c1" with its SHA-256
    When the file of "omang_front" is sent with <how>
    Then the response is <status>
    And the folder holds no files
    When the file of "omang_front" is sent
    And "acme" confirms the upload of "omang_front"
    Then the response's "status" is "uploaded"

    Examples:
      | how                         | status |
      | another picture of its size | 422    |
      | another SHA-256             | 403    |

  @VR-R4.file
  Scenario Outline: A file that became <other> after its upload is not confirmed
    Given the service keeps files in a folder
    And "acme" has opened the case "c1"
    And "acme" announces the document "omang_front" of "c1" with its SHA-256
    And the file of "omang_front" is sent
    When the file of "omang_front" becomes <other> in the folder
    And "acme" confirms the upload of "omang_front"
    Then the response is 409
    And the response contains "the file differs from the announced one"
    And the item of "AuthBridgeTable" where "PK = 'CASE#{c1}' AND SK = 'DOC#{omang-front}'" has no "status"

    Examples:
      | other               |
      | another of its size |
      | longer              |
      | another type        |

  @VR-R4.confirmed
  Scenario: A file is not confirmed after its case has expired
    Given "acme" has opened the case "c1"
    And "acme" announces the document "omang_front" of "c1"
    And the file of "omang_front" is sent
    When only the service's clock moves 30 days
    And "acme" confirms the upload of "omang_front"
    Then the response is 409
    And the response contains "the case is expired"
    And the item of "AuthBridgeTable" where "PK = 'CASE#{c1}' AND SK = 'DOC#{omang-front}'" has no "status"

  @VR-R4.confirmed
  Scenario: A file is not confirmed if its case expires meanwhile
    Given "acme" has opened the case "c1"
    And "acme" announces the document "omang_front" of "c1"
    And the file of "omang_front" is sent
    When before the next change is stored, "c1" becomes expired
    And "acme" confirms the upload of "omang_front"
    Then the response is 409
    And the response contains "the case is expired"
    And the item of "AuthBridgeTable" where "PK = 'CASE#{c1}' AND SK = 'DOC#{omang-front}'" has no "status"

  @VR-R4.count
  Scenario: A document that is announced while another is stored is counted too
    Given "acme" has opened the case "c1"
    And "acme" announces the document "omang_back" of "c1"
    When before the next change is stored, "acme" announces the document "selfie" of "c1"
    And "acme" announces the document "omang_front" of "c1"
    Then the response is 201
    And the item of "AuthBridgeTable" where "PK = 'CASE#{c1}' AND SK = 'META'" has:
      | documentCount | 3 |
    When "acme" lists the documents of "c1"
    Then the response contains "{omang-front}"
    And the response contains "{selfie}"

  @VR-R4.complete @VR-R4.count
  Scenario: A case is not complete if a document is announced meanwhile
    Given "acme" has opened the case "c1"
    And "acme" uploads the document "omang_front" of "c1"
    When before the next change is stored, "acme" announces the document "selfie" of "c1"
    And "acme" confirms that all documents of "c1" are uploaded
    Then the response is 409
    And the item of "AuthBridgeTable" where "PK = 'CASE#{c1}' AND SK = 'META'" has:
      | status        | 'documents_uploading' |
      | documentCount | 2                     |
    When "acme" confirms that all documents of "c1" are uploaded
    Then the response is 409
    And the response contains "{selfie}"

  @VR-R4.cap
  Scenario: A case has 20 documents at most, on the wire
    Given "acme" has opened the case "c1"
    And "acme" has announced 20 documents of "c1"
    When "acme" announces the document "omang_front" of "c1"
    Then it is refused as a conflict
    And the item of "AuthBridgeTable" where "PK = 'CASE#{c1}' AND SK = 'META'" has:
      | documentCount | 20 |

  @VR-R4.processed
  Scenario: Of two results of a document, the first counts
    Given the case "c1" of "acme" is processing
    And processing marks "omang_front" as processing
    When before the next change is stored, "omang_front" is marked as failed
    And processing marks "omang_front" as processed
    Then the response is 409
    And the response contains "the document is failed"
    And the item of "AuthBridgeTable" where "PK = 'CASE#{c1}' AND SK = 'DOC#{omang-front}'" has:
      | status | 'failed' |

  @VR-R4.kinds
  Scenario Outline: A case about a <kind> takes its own documents, not <other>
    Given "acme" has opened the case "c1" about a <kind>
    When "acme" announces the document "<other>" of "c1"
    Then the response is 422
    And the response names the field "body.documentType"
    When "acme" announces the document "<side>" of "c1"
    Then the response is 201

    Examples:
      | kind            | other                | side                  |
      | passport        | omang_front          | passport_photo        |
      | omang           | passport_photo       | omang_back            |
      | drivers_license | id_card_front        | drivers_license_front |
      | id_card         | drivers_license_back | id_card_back          |

  @VR-D6.scores
  Scenario: Biometric and quality scores are stored
    Given the case "c1" of "acme" is processing
    And processing marks "omang_front" as processing
    When processing gives "omang_front" the results {"faceMatch": 0.98, "sharpness": 0.7}
    Then the response is 200
    When the reviewer "rita" lists the documents of "c1"
    Then the response's "documents.0.processingResults.faceMatch" is "0.98"
    And the response's "documents.0.processingResults.sharpness" is "0.7"

  @VR-D6.refused
  Scenario: Personal data from a document is refused, and neither stored nor returned
    Given the case "c1" of "acme" is processing
    And processing marks "omang_front" as processing
    When processing gives "omang_front" the results {"surname": "MOLEFE"}
    Then the response is 422
    And the response names the field "body.processingResults.surname"
    And the response does not contain "MOLEFE"
    And no table contains "MOLEFE"
