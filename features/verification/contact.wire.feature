Feature: Contact data is encrypted, on the wire
  The requests that the service sends to its store, the items that the store then holds, and the HTTP responses.

  @VR-R5.clear
  Scenario: The table contains no email address or phone number in plaintext
    Given "acme" has opened the case "c1"
    And "acme" opens a case with the idempotency key "order-1"
    And "acme" looks at "c1"
    Then no table contains "thabo.molefe"
    And no table contains "example.com"
    And no table contains "26771234567"

  @VR-R5.item
  Scenario: An encrypted value that is moved to another case cannot be decrypted
    Given "acme" has opened the case "c1"
    And "acme" has opened the case "c2"
    When the "email" of "c1" is moved to "c2" in the store
    And "acme" looks at "c2"
    Then the response is 500
    And the response does not contain "example.com"
    And the log has entries, and none contains "thabo.molefe"
    When "acme" looks at "c1"
    Then the response is 200

  @VR-R5.attribute
  Scenario Outline: An encrypted value that is moved to another attribute cannot be decrypted: <moved> to <place>
    Given "acme" has opened the case "c1"
    And "acme" has opened the case "c2"
    When the "<moved>" of "c1" is moved to the "<place>" of "c1" in the store
    And "acme" looks at "c1"
    Then the response is 500
    And the response does not contain "example.com"
    And the response does not contain "26771234567"
    When "acme" looks at "c2"
    Then the response's "customerMetadata.email" is "thabo.molefe@example.com"
    And the response's "customerMetadata.phone" is "+26771234567"

    Examples:
      | moved | place |
      | email | phone |
      | phone | email |

  @VR-R5.keyset @needs:commands
  Scenario: A case can only be moved while its contact data can be decrypted
    Given the key of contact data is in KMS
    And the case "c1" of "acme" is in_review
    When the key of contact data is disabled in KMS
    And 5 minutes pass
    And the reviewer "rita" moves "c1" to approved
    Then the response is 503
    And the item of "AuthBridgeTable" where "PK = 'CASE#{c1}' AND SK = 'META'" has:
      | status | 'in_review' |
