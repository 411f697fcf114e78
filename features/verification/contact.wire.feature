Feature: Contact data is sealed, on the wire
  What the service asks of its store for this, what the store holds then, and what HTTP answers.

  @VR-R5.clear
  Scenario: The table holds neither address nor phone number in clear
    Given "acme" has opened the case "c1"
    And "acme" opens a case with the idempotency key "order-1"
    And "acme" looks at "c1"
    Then no table shows "thabo.molefe"
    And no table shows "example.com"
    And no table shows "26771234567"

  @VR-R5.item
  Scenario: A sealed value that is moved to another case does not open
    Given "acme" has opened the case "c1"
    And "acme" has opened the case "c2"
    When the "email" of "c1" is moved to "c2" in the store
    And "acme" looks at "c2"
    Then the answer is 500
    And the answer does not show "example.com"
    And the log was written to but never shows "thabo.molefe"
    When "acme" looks at "c1"
    Then the answer is 200

  @VR-R5.attribute
  Scenario Outline: A sealed value that is moved to the other attribute does not open: <moved> to <place>
    Given "acme" has opened the case "c1"
    And "acme" has opened the case "c2"
    When the "<moved>" of "c1" is moved to the "<place>" of "c1" in the store
    And "acme" looks at "c1"
    Then the answer is 500
    And the answer does not show "example.com"
    And the answer does not show "26771234567"
    When "acme" looks at "c2"
    Then the answer's "customerMetadata.email" is "thabo.molefe@example.com"
    And the answer's "customerMetadata.phone" is "+26771234567"

    Examples:
      | moved | place |
      | email | phone |
      | phone | email |

  @VR-R5.keyset @needs:commands
  Scenario: A case moves only while its contact data can be read
    Given the key of contact data is in KMS
    And the case "c1" of "acme" is in_review
    When the key of contact data is disabled in KMS
    And 5 minutes pass
    And the reviewer "rita" moves "c1" to approved
    Then the answer is 503
    And the item of "AuthBridgeTable" where "PK = 'CASE#{c1}' AND SK = 'META'" has:
      | status | 'in_review' |
