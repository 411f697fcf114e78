Feature: Batches are private unless they are shared
  Anybody who has the id of a public batch can read it, without its private fields. Another user's private batch looks
  like one that does not exist.

  Background:
    Given "ana" has started the batch "ginger"

  @KF-R8.public
  Scenario: A public batch is read without a token
    Given "ana" changes "ginger" to {"isPublic": true, "publicNote": "Our best so far"}
    When anybody reads the public batch "ginger"
    Then the request succeeds
    And the response's "name" is "ginger"
    And the response's "publicNote" is "Our best so far"
    And the response has no "userId"
    And the response has no "createdAt"
    And the response has no "updatedAt"
    And the response has no "isPublic"
    And the response does not contain "ana"

  @KF-R8.public
  Scenario: A public batch can be read right after it was started
    Given "ana" changes "ginger" to {"isPublic": true}
    And the batch is not visible everywhere yet
    When anybody reads the public batch "ginger"
    Then the request succeeds
