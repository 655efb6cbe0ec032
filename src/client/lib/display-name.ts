/** What a person is called: by the name that somebody gave, or else by the username. */
export const displayNameOf = (person: { displayName: string | null; username: string }): string =>
  person.displayName ?? person.username
