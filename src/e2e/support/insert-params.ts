/** Replaces each `$name`. @throws Error for a name without a value */
export const insertParams = (text: string, params: Record<string, string>): string =>
  text.replaceAll(/\$(\w+)/g, (_, name: string) => {
    const value = params[name]
    if (value === undefined) throw new Error(`Add a value for $${name} to params`)
    return value
  })
