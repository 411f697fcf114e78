Feature: A case goes from creation to a decision
  The client uploads documents and submits the case; reviewers take it to a decision. A case never moves backwards.

  @VR-R2.submitted @VR-R2.moves @VR-R3.whole @VR-P6 @VR-D2
  Scenario: A client submits a case
    Given the case "c1" of "acme" is documents_complete
    When 1 minute passes
    And "acme" submits "c1"
    Then the response's "status" is "submitted"
    And the response's "submittedAt" is "{now}"
    When "acme" lists its cases that are "submitted"
    Then the list is "c1"

  @VR-R2.refused
  Scenario: A submitted case cannot be changed by its client
    Given the case "c1" of "acme" is submitted
    When "acme" submits "c1"
    Then it is refused as a conflict
    And the response contains "the case is submitted"
    When "acme" confirms that all documents of "c1" are uploaded
    Then it is refused as a conflict
    When "acme" announces the document "selfie" of "c1"
    Then it is refused as a conflict

  @VR-R3.once @VR-R3.told
  Scenario: Of several simultaneous reviewers one wins, and the others learn the current status
    Given the case "c1" of "acme" is in_review
    When 4 reviewers move "c1" at once, to approved and to rejected
    Then every refusal names the current status

  @VR-R3.expected
  Scenario: A reviewer who expects another status is refused
    Given the case "c1" of "acme" is in_review
    When the reviewer "ravi" moves "c1" to approved, expecting it to be pending_review
    Then it is refused as a conflict
    And the response contains "the case is in_review, not pending_review"
    When the reviewer "ravi" moves "c1" to approved, expecting it to be in_review
    Then the request succeeds

  @VR-R2.refused
  Scenario: A reviewer cannot make a client's move
    Given the case "c1" of "acme" is documents_complete
    When the reviewer "rita" moves "c1" to submitted
    Then it is refused as a conflict
    And the response contains "only its client can make it submitted"
