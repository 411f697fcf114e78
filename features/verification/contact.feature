Feature: Contact data is sealed
  A customer's address and phone number are encrypted one by one, each for its place. Who has a copy of the table, and not
  the key, reads neither.

  @VR-R5.rotation
  Scenario: The key rotates without anything being written anew
    Given "acme" has opened the case "c1"
    And the "email" of "c1" is remembered as it is stored
    When the administrator rotates the key of contact data
    Then the answer's "keys" is "2"
    When "acme" has opened the case "c2"
    And "acme" looks at "c1"
    Then the answer's "customerMetadata.email" is "thabo.molefe@example.com"
    And the "email" of "c1" is stored as ever
    When the service starts anew
    And "acme" looks at "c2"
    Then the answer's "customerMetadata.phone" is "+26771234567"

  @VR-R5.keyset
  Scenario: Without its keyset a case is not shown, not even half
    Given "acme" has opened the case "c1"
    When the service starts anew without the keyset that it had
    And "acme" looks at "c1"
    Then the service is unavailable
    And the answer says "the key that protects contact data cannot be used now"
    And the answer does not show "cust_123"

  @VR-R5.keyset @needs:commands
  Scenario: The keyset is wrapped by a key of KMS
    Given the key of contact data is in KMS
    And "acme" has opened the case "c1"
    When the key of contact data is disabled in KMS
    And 5 minutes pass
    And "acme" looks at "c1"
    Then the service is unavailable
    And the answer says "the key that protects contact data cannot be used now"
    When "acme" opens the case "c2"
    Then the service is unavailable
    And nothing was written
    When the key of contact data is enabled in KMS
    And the key of contact data is rotated in KMS
    And "acme" looks at "c1"
    Then the answer's "customerMetadata.email" is "thabo.molefe@example.com"
