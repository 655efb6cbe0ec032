import { z } from 'zod'

import { newPasswordSchema, usernameSchema } from './primitives'

const TOKEN_MAX_LENGTH = 100

const token = z
  .string({ error: 'The set-up token is required' })
  .trim()
  .min(1, 'The set-up token is required')
  .max(TOKEN_MAX_LENGTH, 'This is not the set-up token')

/** The token that the terminal has printed. */
export const setupTokenInput = z.object({ token })

/** The first administrator, made by whoever has the token. */
export const setupInput = z.object({ token, username: usernameSchema, password: newPasswordSchema })
export type SetupInput = z.infer<typeof setupInput>

/** The form of the page, where the password is entered twice. */
export const setupFormSchema = z
  .object({
    username: usernameSchema,
    password: newPasswordSchema,
    confirmPassword: z.string().min(1, 'Please confirm your password'),
  })
  .superRefine(({ password, confirmPassword }, context) => {
    if (confirmPassword && password !== confirmPassword) {
      const message = "Passwords don't match"
      context.addIssue({ code: 'custom', path: ['confirmPassword'], message })
    }
  })
export type SetupForm = z.infer<typeof setupFormSchema>
