import { datasetHandler } from '../../src/lambda/dataset-handler.ts';

/**
 * The block's Lambda function: checks arguments by schema.json, and answers from the DynamoDB table
 * that the stack fills with the dataset.
 */
export const handler = datasetHandler(import.meta.url, process.env);
