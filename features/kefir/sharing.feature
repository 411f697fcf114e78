Feature: What is mine is mine, unless I share it
  A public batch can be read by anybody who has its id, without what is private. Somebody else's batch is exactly as absent as one
  that there never was.

  Background:
    Given "ana" has started the batch "ginger"

  @KF-R8.public
  Scenario: A public batch is read without a token
    Given "ana" changes "ginger" to {"isPublic": true, "publicNote": "Our best so far"}
    When anybody reads the public batch "ginger"
    Then the request succeeds
    And the answer's "name" is "ginger"
    And the answer's "publicNote" is "Our best so far"
    And the answer has no "userId"
    And the answer has no "createdAt"
    And the answer has no "updatedAt"
    And the answer has no "isPublic"
    And the answer does not show "ana"

  @KF-R8.public
  Scenario: A batch that was started just now is read, though the index does not know it yet
    Given "ana" changes "ginger" to {"isPublic": true}
    And the batch is not known everywhere yet
    When anybody reads the public batch "ginger"
    Then the request succeeds
