Feature: A bad request names its field and changes nothing
  The error names the invalid field without repeating customer data, and nothing is written.

  @VR-R4.kinds @VR-R5.hidden
  Scenario Outline: A case whose <field> is <value> is refused
    When "acme" opens a case whose <field> is <value>
    Then the response is 422
    And the response names the field "<named>"
    And nothing was written
    And the response does not contain "thabo"

    Examples:
      | field                        | value                       | named                             |
      | documentType                 | missing                     | body.documentType                 |
      | documentType                 | "visa"                      | body.documentType                 |
      | documentType                 | "OMANG"                     | body.documentType                 |
      | documentType                 | 7                           | body.documentType                 |
      | documentType                 | null                        | body.documentType                 |
      | customerMetadata             | missing                     | body.customerMetadata             |
      | customerMetadata             | "thabo"                     | body.customerMetadata             |
      | customerMetadata             | []                          | body.customerMetadata             |
      | customerMetadata.email       | "thabo"                     | body.customerMetadata.email       |
      | customerMetadata.email       | "thabo@"                    | body.customerMetadata.email       |
      | customerMetadata.email       | "thabo molefe@example.com"  | body.customerMetadata.email       |
      | customerMetadata.email       | "thabo@example.com\\n"       | body.customerMetadata.email       |
      | customerMetadata.email       | 300 characters              | body.customerMetadata.email       |
      | customerMetadata.email       | ["thabo@example.com"]       | body.customerMetadata.email       |
      | customerMetadata.phone       | "71234567"                  | body.customerMetadata.phone       |
      | customerMetadata.phone       | "+267 71 234 567"           | body.customerMetadata.phone       |
      | customerMetadata.phone       | "+26771234567890123"        | body.customerMetadata.phone       |
      | customerMetadata.phone       | 26771234567                 | body.customerMetadata.phone       |
      | customerMetadata.externalId  | ""                          | body.customerMetadata.externalId  |
      | customerMetadata.externalId  | "thabo#1"                   | body.customerMetadata.externalId  |
      | customerMetadata.externalId  | 129 characters              | body.customerMetadata.externalId  |
      | customerMetadata.externalId  | {"id": 1}                   | body.customerMetadata.externalId  |
      | customerMetadata.redirectUrl | "javascript:alert(1)"       | body.customerMetadata.redirectUrl |
      | customerMetadata.redirectUrl | "http://client.com"         | body.customerMetadata.redirectUrl |
      | customerMetadata.redirectUrl | "https://u:p@client.com"    | body.customerMetadata.redirectUrl |
      | customerMetadata.redirectUrl | "https://client.com/a b"    | body.customerMetadata.redirectUrl |
      | customerMetadata.redirectUrl | 2001 characters             | body.customerMetadata.redirectUrl |
      | customerMetadata.redirectUrl | true                        | body.customerMetadata.redirectUrl |
      | customerMetadata.name        | "thabo"                     | body.customerMetadata.name        |
      | status                       | "approved"                  | body.status                       |
      | clientId                     | "client_other"              | body.clientId                     |
      | expiresAt                    | "2099-01-01T00:00:00Z"      | body.expiresAt                    |

  @VR-R4.kinds
  Scenario: An error shows the beginning of a long value, in whole characters
    When "acme" opens a case whose documentType is 150 accented characters
    Then the response is 422
    And the response names the field "body.documentType"
    And the response shows the beginning of the value, in whole characters

  @VR-R4.announced @VR-R8.refusals
  Scenario: A document that does not belong to the case's kind is refused, and the trail records it
    Given "acme" has opened the case "c1"
    When 1 second passes
    And "acme" announces a document of "c1" whose documentType is "passport_photo"
    Then the response is 422
    And the response names the field "body.documentType"
    And nothing was written except the audit trail
    And the trail of "{client acme}" ends with "document.add | {c1} | refused"

  @VR-R4.announced
  Scenario Outline: A document whose <field> is <value> is refused
    Given "acme" has opened the case "c1"
    When "acme" announces a document of "c1" whose <field> is <value>
    Then the response is 422
    And the response names the field "body.<field>"
    And nothing was written

    Examples:
      | field        | value             |
      | documentType | missing           |
      | documentType | "selfie_2"        |
      | documentType | 1                 |
      | fileSize     | missing           |
      | fileSize     | 0                 |
      | fileSize     | -1                |
      | fileSize     | 10485761          |
      | fileSize     | 1.5               |
      | fileSize     | "100"             |
      | mimeType     | missing           |
      | mimeType     | "text/html"       |
      | mimeType     | "image/svg+xml"   |
      | mimeType     | null              |
      | sha256       | "abc"             |
      | sha256       | 65 characters     |
      | sha256       | 1                 |
      | status       | "uploaded"        |
      | s3Key        | "../../etc/passwd" |

  @VR-R2.refused
  Scenario Outline: A reviewer's move with <field> being <value> is refused
    Given the case "c1" of "acme" is submitted
    When the reviewer "rita" moves "c1" with <field> being <value>
    Then the response is 422
    And the response names the field "body.<field>"
    And nothing was written

    Examples:
      | field          | value                            |
      | to             | missing                          |
      | to             | "done"                           |
      | to             | ""                               |
      | to             | 1                                |
      | reason         | "Thabo's picture is not clear"   |
      | reason         | ""                               |
      | reason         | 65 characters                    |
      | reason         | {"code": 1}                      |
      | expectedStatus | "done"                           |
      | expectedStatus | []                               |
      | reviewer       | "ravi"                           |

  @VR-R1.refused @VR-R6.lists
  Scenario Outline: <who> is refused <method> <path> because of <named>
    Given the client "acme"
    When <who> sends <method> <path> with <body>
    Then it is refused as <what>
    And the response names the field "<named>"
    And nothing was written

    Examples:
      | who                 | method | path                                                      | body                       | named               | what          |
      | "acme"              | GET    | /cases/ver_1                                              |                            | path.verificationId | invalid       |
      | "acme"              | GET    | /cases/ver_00000000-0000-1000-8000-000000000000           |                            | path.verificationId | invalid       |
      | "acme"              | GET    | /cases/CASE%23ver_00000000-0000-4000-8000-000000000000    |                            | path.verificationId | invalid       |
      | "acme"              | GET    | /cases?status=open                                        |                            | query.status        | invalid       |
      | "acme"              | GET    | /cases?limit=0                                            |                            | query.limit         | invalid       |
      | "acme"              | GET    | /cases?limit=101                                          |                            | query.limit         | invalid       |
      | "acme"              | GET    | /cases?limit=x                                            |                            | query.limit         | invalid       |
      | "acme"              | GET    | /cases?cursor=e30                                         |                            | query.cursor        | a bad request |
      | "acme"              | GET    | /cases?cursor=!                                           |                            | query.cursor        | a bad request |
      | "acme"              | GET    | /cases?clientId=client_other                              |                            | query.clientId      | invalid       |
      | the reviewer "rita" | GET    | /review/cases                                             |                            | query.date          | invalid       |
      | the reviewer "rita" | GET    | /review/cases?date=14.1.2026                              |                            | query.date          | invalid       |
      | the reviewer "rita" | GET    | /review/cases?date=2026-13-01                             |                            | query.date          | invalid       |
      | the administrator   | GET    | /audit                                                    |                            | query.user          | invalid       |
      | the administrator   | GET    | /audit?user=a&date=2026-01-14                             |                            | query.user          | invalid       |
      | the administrator   | GET    | /audit?date=today                                         |                            | query.date          | invalid       |
      | the administrator   | GET    | /audit?user=%23                                           |                            | query.user          | invalid       |
      | the administrator   | POST   | /api-keys                                                 | {"clientId": "acme"}       | body.clientId       | invalid       |
      | the administrator   | POST   | /api-keys                                                 | {"description": 1}         | body.description    | invalid       |
      | the administrator   | POST   | /api-keys                                                 | {"secret": "mine"}         | body.secret         | invalid       |
      | the administrator   | DELETE | /api-keys/key_1                                           |                            | path.keyId          | invalid       |
