Feature: A case goes from its creation to a decision
  Its client uploads documents and submits it; reviewers take it to a decision. There is one way, and no way back.

  @VR-R2.submitted @VR-R2.moves @VR-R3.whole @VR-P6 @VR-D2
  Scenario: A client submits a case
    Given the case "c1" of "acme" is documents_complete
    When 1 minute passes
    And "acme" submits "c1"
    Then the answer's "status" is "submitted"
    And the answer's "submittedAt" is "{now}"
    When "acme" lists its cases that are "submitted"
    Then the list is "c1"

  @VR-R2.refused
  Scenario: What is done is not done again
    Given the case "c1" of "acme" is submitted
    When "acme" submits "c1"
    Then it is refused as a conflict
    And the answer says "the case is submitted"
    When "acme" says that all documents of "c1" are there
    Then it is refused as a conflict
    When "acme" announces the document "selfie" of "c1"
    Then it is refused as a conflict

  @VR-R3.once @VR-R3.told
  Scenario: Of two reviewers one wins, and the other is told what the case is
    Given the case "c1" of "acme" is in_review
    When 4 reviewers move "c1" at once, to approved and to rejected
    Then every loser was told what the case is now

  @VR-R3.expected
  Scenario: A reviewer who saw another status is refused
    Given the case "c1" of "acme" is in_review
    When the reviewer "ravi" moves "c1" to approved, who saw it pending_review
    Then it is refused as a conflict
    And the answer says "the case is in_review, not pending_review"
    When the reviewer "ravi" moves "c1" to approved, who saw it in_review
    Then the request succeeds

  @VR-R2.refused
  Scenario: A client cannot do what is a reviewer's, nor a reviewer what is a client's
    Given the case "c1" of "acme" is documents_complete
    When the reviewer "rita" moves "c1" to submitted
    Then it is refused as a conflict
    And the answer says "only its client can make it submitted"
