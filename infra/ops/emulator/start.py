"""Starts ministack with a stand-in for each thing that it lacks."""
import io
import mimetypes
import os
import secrets
import string
import sys
import zipfile

import botocore.session
import ministack.services.cloudformation.provisioners as provisioners
from ministack.app import main
from ministack.core.responses import get_account_id, get_region

handlers = provisioners._RESOURCE_HANDLERS


def recorded(type_, ref, attributes=lambda name: {}):
    """A type of which nothing is done."""
    def create(logical_id, props, stack_name):
        name = ref(props) or provisioners._physical_name(stack_name, logical_id, max_len=100)
        return name, attributes(name)

    handlers[type_] = {
        'create': create,
        'update': lambda name, old, new, stack_name: (name, attributes(name)),
        'delete': lambda name, props: None,
    }


def s3():
    return botocore.session.get_session().create_client(
        's3', endpoint_url=f'http://127.0.0.1:{os.environ["GATEWAY_PORT"]}', region_name=get_region(),
        aws_access_key_id=get_account_id(), aws_secret_access_key='test')


def empty(bucket):
    client = s3()
    for page in client.get_paginator('list_object_versions').paginate(Bucket=bucket):
        for item in page.get('Versions', []) + page.get('DeleteMarkers', []):
            client.delete_object(Bucket=bucket, Key=item['Key'], VersionId=item['VersionId'])
    for page in client.get_paginator('list_objects_v2').paginate(Bucket=bucket):
        for item in page.get('Contents', []):
            client.delete_object(Bucket=bucket, Key=item['Key'])


def auto_delete():
    """CDK's function answers to the host of ResponseURL without its port."""
    handlers['Custom::S3AutoDeleteObjects'] = {
        'create': lambda logical_id, props, stack_name: (f'empties-{props["BucketName"]}', {}),
        'update': lambda name, old, new, stack_name: (name, {}),
        'delete': lambda name, props: empty(props['BucketName']),
    }


def bucket_deployment():
    """CDK's function runs the AWS CLI of a layer in /opt."""
    def copy(props):
        client = s3()
        metadata = props.get('SystemMetadata', {})
        prefix = props.get('DestinationBucketKeyPrefix')
        for bucket, key in zip(props['SourceBucketNames'], props['SourceObjectKeys']):
            files = zipfile.ZipFile(io.BytesIO(client.get_object(Bucket=bucket, Key=key)['Body'].read()))
            for name in files.namelist():
                client.put_object(
                    Bucket=props['DestinationBucketName'], Key=f'{prefix}/{name}' if prefix else name,
                    Body=files.read(name), CacheControl=metadata.get('cache-control', ''),
                    ContentType=metadata.get('content-type', mimetypes.guess_type(name)[0] or 'binary/octet-stream'))

    def create(logical_id, props, stack_name):
        copy(props)
        return f'{stack_name}-{logical_id}', {}

    def update(name, old, new, stack_name):
        copy(new)
        return name, {}

    handlers['Custom::CDKBucketDeployment'] = {
        'create': create, 'update': update, 'delete': lambda name, props: empty(props['DestinationBucketName'])}


def metric_math():
    """It refuses metric math; other alarms are its own."""
    plain = dict(handlers['AWS::CloudWatch::Alarm'])

    def math(name):
        return name, {'Arn': f'arn:aws:cloudwatch:{get_region()}:{get_account_id()}:alarm:{name}'}

    def create(logical_id, props, stack_name):
        return math(props['AlarmName']) if 'Metrics' in props else plain['create'](logical_id, props, stack_name)

    def update(name, old, new, *rest):
        return math(name) if 'Metrics' in new or 'Metrics' in old else plain['update'](name, old, new, *rest)

    handlers['AWS::CloudWatch::Alarm'] = {
        **plain, 'create': create, 'update': update,
        'delete': lambda name, props: None if 'Metrics' in props else plain['delete'](name, props)}


def secret_characters():
    """It ignores ExcludePunctuation."""
    plain = provisioners._sm_secret_string

    def secret_string(props):
        generate = props.get('GenerateSecretString') or {}
        if not generate.get('ExcludePunctuation'):
            return plain(props)
        return ''.join(
            secrets.choice(string.ascii_letters + string.digits) for _ in range(int(generate.get('PasswordLength', 32))))

    provisioners._sm_secret_string = secret_string


recorded('AWS::CloudWatch::InsightRule', lambda props: props['RuleName'],
         lambda name: {'RuleName': name, 'Arn': name})
# It moves all traffic at once.
recorded('AWS::CodeDeploy::Application', lambda props: props.get('ApplicationName'))
recorded('AWS::CodeDeploy::DeploymentGroup', lambda props: props.get('DeploymentGroupName'))
auto_delete()
bucket_deployment()
metric_math()
secret_characters()

if __name__ == '__main__':
    sys.exit(main())
