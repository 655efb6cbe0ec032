import { schemaResolver, type FormErrors } from '@mantine/form'

type Schema = Parameters<typeof schemaResolver>[0]

/** Form validation that loads its schema, and zod with it, when first needed. */
export function lazySchemaResolver(load: () => Promise<Schema>) {
  return async (values: unknown): Promise<FormErrors> =>
    schemaResolver(await load(), { sync: true })(values)
}
