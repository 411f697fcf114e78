Feature: Contact data is encrypted
  A customer's email address and phone number are encrypted separately, each bound to its case and attribute. A copy
  of the table without the key reveals neither.

  @VR-R5.rotation
  Scenario: The key rotates without rewriting any data
    Given "acme" has opened the case "c1"
    And the stored "email" of "c1" is remembered
    When the administrator rotates the key of contact data
    Then the response's "keys" is "2"
    When "acme" has opened the case "c2"
    And "acme" looks at "c1"
    Then the response's "customerMetadata.email" is "thabo.molefe@example.com"
    And the "email" of "c1" is stored unchanged
    When the service restarts
    And "acme" looks at "c2"
    Then the response's "customerMetadata.phone" is "+26771234567"

  @VR-R5.keyset
  Scenario: A case whose keyset is missing is not shown, not even in part
    Given "acme" has opened the case "c1"
    When the service restarts without its previous keyset
    And "acme" looks at "c1"
    Then the service is unavailable
    And the response contains "the key that protects contact data is not available now"
    And the response does not contain "cust_123"

  @VR-R5.keyset @needs:commands
  Scenario: The keyset is encrypted by a KMS key
    Given the key of contact data is in KMS
    And "acme" has opened the case "c1"
    When the key of contact data is disabled in KMS
    And 5 minutes pass
    And "acme" looks at "c1"
    Then the service is unavailable
    And the response contains "the key that protects contact data is not available now"
    When "acme" opens the case "c2"
    Then the service is unavailable
    And nothing was written
    When the key of contact data is enabled in KMS
    And the key of contact data is rotated in KMS
    And "acme" looks at "c1"
    Then the response's "customerMetadata.email" is "thabo.molefe@example.com"
