Feature: Documents are announced, sent and confirmed, on the wire
  What the service asks of its store for this, what the store holds then, and what HTTP answers.

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
  Scenario: The documents of a case
    Given "acme" has opened the case "c1"
    And "acme" uploads the document "omang_front" of "c1"
    And "acme" announces the document "selfie" of "c1"
    When "acme" lists the documents of "c1"
    Then the answer is 200
    And the answer says "{omang-front}"
    And the answer says "{selfie}"
    And the store was asked for a Query of "AuthBridgeTable" where "PK = 'CASE#{c1}' AND begins_with(SK, 'DOC#')", consistent

  @VR-R4.count
  Scenario: Documents that come at once are all counted
    Given "acme" has opened the case "c1"
    When "acme" announces 3 documents of "c1" at once
    Then all answers are 201
    And the item of "AuthBridgeTable" where "PK = 'CASE#{c1}' AND SK = 'META'" has:
      | documentCount | 3 |

  @VR-R4.file @VR-R4.address
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

  @VR-R4.file @VR-R4.address
  Scenario Outline: A file whose SHA-256 was announced is that file: <how>
    Given the service keeps files in a folder
    And "acme" has opened the case "c1"
    And "acme" announces the document "omang_front" of "c1" with its SHA-256
    When the file of "omang_front" is sent with <how>
    Then the answer is <status>
    And the folder holds no files
    When the file of "omang_front" is sent
    And "acme" says that "omang_front" is there
    Then the answer's "status" is "uploaded"

    Examples:
      | how                         | status |
      | another picture of its size | 422    |
      | another SHA-256             | 403    |

  @VR-R4.file
  Scenario Outline: What is confirmed is looked at: a file that became <other> is not the announced one
    Given the service keeps files in a folder
    And "acme" has opened the case "c1"
    And "acme" announces the document "omang_front" of "c1" with its SHA-256
    And the file of "omang_front" is sent
    When the file of "omang_front" becomes <other> in the folder
    And "acme" says that "omang_front" is there
    Then the answer is 409
    And the answer says "the file is not the one that was announced"
    And the item of "AuthBridgeTable" where "PK = 'CASE#{c1}' AND SK = 'DOC#{omang-front}'" has no "status"

    Examples:
      | other               |
      | another of its size |
      | longer              |
      | another type        |

  @VR-R4.confirmed
  Scenario: A file is not confirmed once the time of its case is over
    Given "acme" has opened the case "c1"
    And "acme" announces the document "omang_front" of "c1"
    And the file of "omang_front" is sent
    When the service's clock alone moves 30 days
    And "acme" says that "omang_front" is there
    Then the answer is 409
    And the answer says "the case is expired"
    And the item of "AuthBridgeTable" where "PK = 'CASE#{c1}' AND SK = 'DOC#{omang-front}'" has no "status"

  @VR-R4.confirmed
  Scenario: A file is not confirmed when its case moves on meanwhile
    Given "acme" has opened the case "c1"
    And "acme" announces the document "omang_front" of "c1"
    And the file of "omang_front" is sent
    When before the next change is stored, "c1" becomes expired
    And "acme" says that "omang_front" is there
    Then the answer is 409
    And the answer says "the case is expired"
    And the item of "AuthBridgeTable" where "PK = 'CASE#{c1}' AND SK = 'DOC#{omang-front}'" has no "status"

  @VR-R4.count
  Scenario: A document that comes while another is stored is counted too
    Given "acme" has opened the case "c1"
    And "acme" announces the document "omang_back" of "c1"
    When before the next change is stored, "acme" announces the document "selfie" of "c1"
    And "acme" announces the document "omang_front" of "c1"
    Then the answer is 201
    And the item of "AuthBridgeTable" where "PK = 'CASE#{c1}' AND SK = 'META'" has:
      | documentCount | 3 |
    When "acme" lists the documents of "c1"
    Then the answer says "{omang-front}"
    And the answer says "{selfie}"

  @VR-R4.complete @VR-R4.count
  Scenario: A case is not complete when a document comes while it is looked at
    Given "acme" has opened the case "c1"
    And "acme" uploads the document "omang_front" of "c1"
    When before the next change is stored, "acme" announces the document "selfie" of "c1"
    And "acme" says that all documents of "c1" are there
    Then the answer is 409
    And the item of "AuthBridgeTable" where "PK = 'CASE#{c1}' AND SK = 'META'" has:
      | status        | 'documents_uploading' |
      | documentCount | 2                     |
    When "acme" says that all documents of "c1" are there
    Then the answer is 409
    And the answer says "{selfie}"

  @VR-R4.cap
  Scenario: A case has 20 documents at most, on the wire
    Given "acme" has opened the case "c1"
    And "acme" has announced 20 documents of "c1"
    When "acme" announces the document "omang_front" of "c1"
    Then the item of "AuthBridgeTable" where "PK = 'CASE#{c1}' AND SK = 'META'" has:
      | documentCount | 20 |

  @VR-R4.processed
  Scenario: Of two results of a document the first counts
    Given the case "c1" of "acme" is processing
    And processing makes "omang_front" processing
    When before the next change is stored, "omang_front" is judged failed
    And processing makes "omang_front" processed
    Then the answer is 409
    And the answer says "the document is failed"
    And the item of "AuthBridgeTable" where "PK = 'CASE#{c1}' AND SK = 'DOC#{omang-front}'" has:
      | status | 'failed' |

  @VR-R4.kinds
  Scenario Outline: A case about a <kind> takes its own sides: not <other>
    Given "acme" has opened the case "c1" about a <kind>
    When "acme" announces the document "<other>" of "c1"
    Then the answer is 422
    And the answer names the field "body.documentType"
    When "acme" announces the document "<side>" of "c1"
    Then the answer is 201

    Examples:
      | kind            | other                | side                  |
      | passport        | omang_front          | passport_photo        |
      | omang           | passport_photo       | omang_back            |
      | drivers_license | id_card_front        | drivers_license_front |
      | id_card         | drivers_license_back | id_card_back          |

  @VR-D6.scores
  Scenario: Scores of biometrics and of quality are stored
    Given the case "c1" of "acme" is processing
    And processing makes "omang_front" processing
    When processing gives "omang_front" the results {"faceMatch": 0.98, "sharpness": 0.7}
    Then the answer is 200
    When the reviewer "rita" lists the documents of "c1"
    Then the answer's "documents.0.processingResults.faceMatch" is "0.98"
    And the answer's "documents.0.processingResults.sharpness" is "0.7"

  @VR-D6.refused
  Scenario: What was read off a document is refused, and neither stored nor shown again
    Given the case "c1" of "acme" is processing
    And processing makes "omang_front" processing
    When processing gives "omang_front" the results {"surname": "MOLEFE"}
    Then the answer is 422
    And the answer names the field "body.processingResults.surname"
    And the answer does not show "MOLEFE"
    And no table shows "MOLEFE"
