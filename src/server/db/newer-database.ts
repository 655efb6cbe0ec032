/** A newer version of the product has migrated the database: this one does not know its schema. */
export class NewerDatabaseError extends Error {
  readonly newest: string
  readonly ours: string

  /**
   * @param newest the newest migration that has run on the database
   * @param ours the newest migration of this version
   */
  constructor(newest: string, ours: string) {
    super(
      `A newer version of the product has migrated the database (to ${newest}; this version knows ` +
        `migrations up to ${ours})`,
    )
    this.newest = newest
    this.ours = ours
  }
}
