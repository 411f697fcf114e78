Feature: Who may do what with the identity verification
  Every operation of its OpenAPI document is asked for with every kind of credential. docs/access.md shows what must come of each.

  @VR-P9.access @VR-D7
  Scenario: Nobody without a valid credential gets anything from the identity verification
    When every operation is tried with each credential that does not open it
    Then each is refused as its document says
    And no answer tells anything of "ana"
    And nothing was looked up but whose credential it is

  @VR-R6.actions @VR-R6.absent
  Scenario: Nobody reaches another client's things by any operation of the identity verification
    When somebody else asks for every operation on what is "ana"'s
    Then each is as absent as what there never was, or the caller's own
    And no answer tells anything of "ana"
    And what is "ana"'s is as it was
    And nothing was looked up but whose it is

  @VR-P9.access
  Scenario: Whoever may use an operation of the identity verification can
    When every operation is tried with each credential that opens it
    Then each is done
    And who may do what is as docs/access.md says

  @VR-P9.access
  Scenario: What is open to everybody in the identity verification is meant to be
    When what is open to everybody is tried with every credential
    Then each answers, and is meant to be open
    And no answer tells anything of "ana"
